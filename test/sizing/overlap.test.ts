import { describe, expect, test } from 'vitest';
import { isCompatible } from '../../src/sizing/bounded-interval.ts';
import { type Overlap, overlapOf } from '../../src/sizing/overlap.ts';
import {
  covariancesOfZeros,
  keysOfLoad,
  loadFrom,
  type Occupancy,
  spreadOfBits,
  spreadOfBlocks,
} from '../../src/sizing/zeros.ts';
import { overlapOfSketches } from '../../src/sketches/compare.ts';
import { inLongRuns } from '../long.ts';
import { below, createRandom, type Random } from '../reference/random.ts';

const RUNS = inLongRuns(2000, 30);

/** Keys of A, of B and of both. */
type Sizes = readonly [a: number, b: number, both: number];

/**
 * Each true value must be in its interval in 95 % of the runs, within four standard deviations (1.9 % in long runs).
 * The ends are whole numbers of keys, so an interval is half a key wider on both sides. This matters if it has few keys.
 */
const TOLERANCE = 4 * Math.sqrt((0.95 * 0.05) / RUNS);
const Z95 = 1.96;
const DENSITY_AT_Z95 = 0.0584;

function expectCoverage([a, b, both]: Sizes, random: Random, overlap: (random: Random) => Overlap): void {
  const union = a + b - both;
  const truth = { a, b, union, both, aInB: both / a, bInA: both / b, jaccard: both / union };
  const wholes = { a: 1, b: 1, union: 1, both: 1, aInB: a, bInA: b, jaccard: union };
  const found = Array.from({ length: RUNS }, () => overlap(random));
  for (const name of Object.keys(truth) as (keyof Overlap)[]) {
    const ranges = found.flatMap((one) => one[name] ?? []);
    expect(ranges.every(({ value, low, high }) => 0 <= low && low <= value && value <= high)).toBe(true);
    // Shares are rounded to fractions of the estimated numbers of keys, not of the true numbers.
    const slack = truth[name] * 1e-9 + (wholes[name] > 1 ? 0.001 / wholes[name] : 0);
    const held =
      ranges.filter(({ low, high }) => low - slack <= truth[name] && truth[name] <= high + slack).length / RUNS;
    const width = ranges.reduce((sum, { low, high }) => sum + high - low, 0) / RUNS;
    const deviation = (width * wholes[name]) / (2 * Z95);
    expect(held, name).toBeGreaterThanOrEqual(0.95 - TOLERANCE);
    expect(held, name).toBeLessThanOrEqual(Math.min(1, 0.95 + TOLERANCE + DENSITY_AT_Z95 / deviation));
  }
}

/** The share of ones, the size of B as a multiple of A, and the share of A's keys that are in both. */
const CASES = [
  [0.3, 1, 0],
  [0.5, 1, 0.01],
  [0.5, 1, 1],
  [0.9, 100, 0.5],
] as const;

describe.each([
  ['bits in two segments', { units: 2 ** 12, hashes: 5, pools: 2, spread: spreadOfBits }],
  ['bits in blocks', { units: 2 ** 12, hashes: 8, pools: 1, spread: spreadOfBlocks }],
] satisfies [string, Occupancy][])('the intervals of %s hold in 95 %% of the runs', (name, occupancy) => {
  const { units, hashes, pools } = occupancy;
  const inBlocks = name.includes('blocks');
  const bitsOfKey = (random: Random) => {
    const [block, pool] = [below(random, units / 256), below(random, pools)];
    return Array.from({ length: hashes }, (_, i) =>
      inBlocks ? 256 * block + 32 * i + below(random, 32) : (pool * units) / pools + below(random, units / pools),
    );
  };
  const loadOf = (bits: Uint8Array) => {
    let load = 0;
    for (let pool = 0; pool < pools; pool++) {
      const ones = bits
        .subarray((pool * units) / pools, ((pool + 1) * units) / pools)
        .reduce((sum, bit) => sum + bit, 0);
      load += loadFrom(ones, occupancy) / pools;
    }
    return keysOfLoad(load, occupancy);
  };

  test.each(CASES)('fill %d, sizes 1 to %d, overlap %d', (fill, ratio, overlap) => {
    const b = Math.round((-Math.log1p(-fill) * units) / hashes);
    const a = Math.max(1, Math.round(b / ratio));
    const both = Math.round(overlap * a);
    expectCoverage([a, b, both], createRandom(a + both), (random) => {
      const [ofA, ofB] = [new Uint8Array(units), new Uint8Array(units)];
      for (let key = 0; key < a + b - both; key++)
        for (const bit of bitsOfKey(random)) {
          if (key < a) ofA[bit] = 1;
          if (key >= a - both) ofB[bit] = 1;
        }
      const union = ofA.map((bit, i) => bit | (ofB[i] ?? 0));
      const estimates = { a: loadOf(ofA), b: loadOf(ofB), union: loadOf(union) };
      return overlapOf(estimates, covariancesOfZeros(occupancy));
    });
  });
});

test('the load of a small pool is estimated without bias, so that the errors of many pools do not add up', () => {
  const occupancy = { units: 64, hashes: 1, pools: 1, spread: spreadOfBits };
  const [runs, balls] = [inLongRuns(100_000, 20_000), 40];
  const random = createRandom(64);
  let sum = 0;
  for (let run = 0; run < runs; run++) {
    const bits = new Uint8Array(64);
    for (let ball = 0; ball < balls; ball++) bits[below(random, 64)] = 1;
    sum += loadFrom(
      bits.reduce((ones, bit) => ones + bit, 0),
      occupancy,
    );
  }
  // The balls are as many as a load has that is a little higher: (1 - 1/m)^n = e^-t. The bias is of the order of 1/m^2, within the
  // four standard deviations of the mean.
  const load = -balls * Math.log1p(-1 / 64);
  const deviation = Math.sqrt(spreadOfBits(load) / 64 / runs);
  expect(Math.abs(sum / runs - load)).toBeLessThan(4 * deviation);
  // Without the correction the bias would be larger.
  expect(spreadOfBits(load) / (2 * 64)).toBeGreaterThan(4 * deviation);
});

describe('the intervals of HyperLogLog sketches hold in 95 % of the runs', () => {
  const logRegisters = 9;
  const registers = 2 ** logRegisters;
  test.each([
    [0.3, 1, 0.5],
    [10, 1, 0.01],
  ])('%d keys per register, sizes 1 to %d, overlap %d', (load, ratio, overlap) => {
    const b = Math.round(load * registers);
    const a = Math.max(1, Math.round(b / ratio));
    const both = Math.round(overlap * a);
    expectCoverage([a, b, both], createRandom(a + both), (random) => {
      const [ofA, ofB] = [new Uint8Array(registers), new Uint8Array(registers)];
      for (let key = 0; key < a + b - both; key++) {
        const place = below(random, registers);
        const rank = Math.clz32(random()) + 1;
        if (key < a) ofA[place] = Math.max(rank, ofA[place] ?? 0);
        if (key >= a - both) ofB[place] = Math.max(rank, ofB[place] ?? 0);
      }
      return overlapOfSketches({ logRegisters, registers: ofA }, { logRegisters, registers: ofB });
    });
  });

  test('an empty sketch beside another has no error, and the other has the error of one sketch', () => {
    const random = createRandom(4);
    const empty = { logRegisters, registers: new Uint8Array(registers) };
    const full = { logRegisters, registers: empty.registers.map(() => Math.clz32(random()) + 1) };
    const [after, before] = [overlapOfSketches(empty, full), overlapOfSketches(full, empty)];
    expect(after.a).toMatchObject({ value: 0, low: 0, high: 0 });
    expect(before.b).toEqual(after.a);
    expect(before.a).toEqual(after.b);
    // The relative standard error of HyperLogLog is 1.04 over the root of the number of registers (Flajolet et al. 2007).
    const { value, low, high } = after.b;
    expect((high - low) / (2 * Z95 * value) / (1.04 / Math.sqrt(registers))).toBeGreaterThan(0.7);
    expect((high - low) / (2 * Z95 * value) / (1.04 / Math.sqrt(registers))).toBeLessThan(1.1);
  });

  test('small sketches have the keys themselves', () => {
    const keys = (from: number, to: number) => Uint32Array.from({ length: to - from }, (_, i) => (1 << 26) + from + i);
    const { a, b, both, union, aInB } = overlapOfSketches(
      { logRegisters: 16, coupons: keys(0, 1000) },
      { logRegisters: 16, coupons: keys(900, 3000) },
    );
    expect([a, b, both, union].map(({ value }) => Math.round(value))).toEqual([1000, 2100, 100, 3000]);
    expect(aInB && aInB.high - aInB.low).toBeLessThan(0.002);
  });
});

/** Feldman & Cousins 1998, table X: the 95 % interval around a measured mean of a quantity that is not negative. */
test.each([
  [-3, 0, 0.42],
  [-1, 0, 1.1],
  [0, 0, 1.96],
  [1, 0, 2.96],
  [2, 0.35, 3.96],
  [3, 1.14, 4.96],
])('the interval of a measured mean of %d is %d to %d', (measured, low, high) => {
  const step = 0.001;
  const values = Array.from({ length: 6 / step }, (_, i) => i * step).filter((value) =>
    isCompatible(measured, value, 1),
  );
  expect(values[0]).toBeCloseTo(low, 1);
  expect(values.at(-1)).toBeCloseTo(high, 1);
});

test.each([0, 0.05, 0.3, 0.7, 1, 1.5, 1.9, 1.95, 2, 3])(
  '95 %% of all estimates are compatible with a value of %d',
  (value) => {
    // The normal density, summed in steps of a thousandth of a standard error.
    const step = 0.001;
    let share = 0;
    for (let estimate = -9.9995; estimate < 13; estimate += step) {
      const density = Math.exp(-((estimate - value) ** 2) / 2) / Math.sqrt(2 * Math.PI);
      // The error scales the estimate and the value.
      if (isCompatible(7 * estimate, 7 * value, 7)) share += density * step;
    }
    expect(share).toBeCloseTo(0.95, 3);
  },
);

test('without an error, only the value itself is compatible', () => {
  expect(isCompatible(2, 2, 0)).toBe(true);
  expect(isCompatible(2, 2.001, 0)).toBe(false);
  expect(isCompatible(0, 0, 0)).toBe(true);
});
