import { describe, expect, test } from 'vitest';
import {
  estimateFromCouponRegisters,
  estimateFromCoupons,
  estimateFromFill,
  estimateFromSketch,
  interval95,
  lowerBound,
  roundedUp,
  sumEstimates,
  upperBound,
} from '../../src/sizing/cardinality.ts';
import { inLongRuns } from '../long.ts';
import { below, createRandom } from '../reference/random.ts';

describe('distinct keys by the fill', () => {
  // Swamidass & Baldi 2007, computed with 60 digits.
  test.each([
    [500, 1000, 7, 99.0210257794278],
    [1, 1000, 1, 1.00050033358353],
    [256, 512, 3, 118.297118815564],
    [4_792_529, 9_585_059, 7, 949_122.23162154],
    [99, 100, 2, 230.258509299405],
    [0, 100, 2, 0],
  ])('%d of %d bits with k = %d', (ones, bits, k, count) => {
    expect(estimateFromFill(ones, bits, k).count).toBeCloseTo(count, 6);
  });

  test('a floor when all bits are set: what half an empty bit would give', () => {
    const full = estimateFromFill(512, 512, 3);
    expect(full.isFloor).toBe(true);
    // 512 / 3 x ln 1024
    expect(full.count).toBeCloseTo(1182.971, 3);
    expect(lowerBound(full)).toBeGreaterThan(512 / 3);
    expect(estimateFromFill(511, 512, 3).isFloor).toBeUndefined();
    expect(sumEstimates([full, estimateFromFill(1, 512, 3)]).isFloor).toBe(true);
  });

  test('that floor is hardly too high, and not uselessly low', () => {
    const [bits, k] = [512, 3];
    const random = createRandom(5);
    const least = lowerBound(estimateFromFill(bits, bits, k));
    const needed = Array.from({ length: 1000 }, () => {
      const set = new Set<number>();
      let keys = 0;
      for (; set.size < bits; keys++) for (let probe = 0; probe < k; probe++) set.add(below(random, bits));
      return keys;
    });
    // A sample is below it with a chance of 1 in 700. Twelve of a thousand occur less than once in ten million runs.
    expect(needed.filter((keys) => keys < least).length).toBeLessThan(12);
    expect(Math.min(...needed)).toBeLessThan(1.2 * least);
  });

  test.each([
    [100, 2048, 5],
    [600, 4096, 7],
    [3000, 4096, 1],
  ])('%d keys in %d bits with k = %d: unbiased, with the stated standard error', (items, bits, k) => {
    const random = createRandom(bits + items);
    const estimates = Array.from({ length: inLongRuns(2000, 250) }, () => {
      const set = new Set(Array.from({ length: items * k }, () => below(random, bits)));
      return estimateFromFill(set.size, bits, k);
    });
    const mean = estimates.reduce((sum, { count }) => sum + count, 0) / estimates.length;
    const spread = Math.sqrt(estimates.reduce((sum, { count }) => sum + (count - mean) ** 2, 0) / estimates.length);
    const stated = estimates.reduce((sum, { error }) => sum + error, 0) / estimates.length;
    expect(Math.abs(mean / items - 1)).toBeLessThan(0.005);
    expect(stated / spread).toBeGreaterThan(0.93);
    expect(stated / spread).toBeLessThan(1.07);
  });
});

describe('an estimate', () => {
  test('of a whole adds counts, and adds errors as independent ones', () => {
    const parts = [
      { count: 10, error: 3 },
      { count: 20, error: 4 },
      { count: 5, error: 0 },
    ];
    expect(sumEstimates(parts)).toEqual({ count: 35, error: 5 });
    expect(sumEstimates([])).toEqual({ count: 0, error: 0 });
  });

  test('has bounds three standard errors off, and none if it is exact', () => {
    expect(upperBound({ count: 100.5, error: 10 })).toBe(131);
    expect(lowerBound({ count: 100.5, error: 10 })).toBe(70.5);
    expect(upperBound({ count: 7, error: 0 })).toBe(7);
    expect(lowerBound({ count: 7, error: 0 })).toBe(7);
  });
});

test('the 95 % interval has 1.96 standard errors on both sides, and nothing below 0', () => {
  const wide = interval95({ count: 100, error: 10 });
  expect([wide.low, wide.high].map((bound) => bound.toFixed(3))).toEqual(['80.400', '119.600']);
  expect(interval95({ count: 1, error: 10 })).toEqual({ low: 0, high: expect.closeTo(20.6, 9) });
  expect(interval95({ count: 0.5, error: 0 })).toEqual({ low: 0.5, high: 0.5 });
});

describe('distinct keys by a sketch', () => {
  test('with the error of linear counting for few keys, and of HyperLogLog for many', () => {
    const size = 2 ** 16;
    // Linear counting (Whang et al. 1990): sqrt(m (e^t - t - 1)) for t keys per register. All of them have the least rank.
    const few = Uint8Array.from({ length: size }, (_, i) => (i % 16 === 0 ? 1 : 0));
    const { count, error } = estimateFromSketch(few);
    const load = count / size;
    expect(error / Math.sqrt(size * (Math.exp(load) - load - 1))).toBeCloseTo(1, 6);
    const many = estimateFromSketch(new Uint8Array(size).fill(20));
    expect((many.error / many.count) * Math.sqrt(size)).toBeCloseTo(1.04, 6);
  });

  test('none leave it empty, and one register of rank 1 is one key', () => {
    const registers = new Uint8Array(2 ** 16);
    expect(estimateFromSketch(registers)).toEqual({ count: 0, error: 0 });
    registers[77] = 1;
    // Linear counting: -m ln(1 - 1/m).
    expect(estimateFromSketch(registers).count).toBeCloseTo(1, 3);
  });

  test('full registers estimate more than 2^63', () => {
    expect(estimateFromSketch(new Uint8Array(2 ** 16).fill(49)).count).toBeGreaterThan(2 ** 63);
  });

  test.each([
    ['sketch', estimateFromSketch, 48, 30],
    ['sketch', estimateFromSketch, 48, 2 ** 48],
    ['sketch', estimateFromSketch, 48, 2 ** 50],
    ['sketch of coupons', estimateFromCouponRegisters, 62, 2 ** 64],
  ])('a %s follows from the ranks of this many keys per register', (_, estimate, most, load) => {
    // The quantiles of the distribution of ranks: P(rank <= r) = e^(-load / 2^r) up to `most`. Greater ranks count as most + 1.
    const size = 2 ** 16;
    const shares = Array.from({ length: most + 2 }, (_, rank) => (rank > most ? 1 : Math.exp(-load / 2 ** rank)));
    const registers = Uint8Array.from({ length: size }, (_, i) => {
      let rank = 1;
      while ((shares[rank] ?? 1) < (i + 0.5) / size) rank++;
      return rank;
    });
    expect(Math.abs(estimate(registers).count / (load * size) - 1)).toBeLessThan(0.002);
  });
});

test.each([
  [0, 0],
  [1, 1],
  [99, 99],
  [99.2, 100],
  [100, 100],
  [101, 110],
  [5130, 5200],
  [999_999, 1_000_000],
])('%d keys, rounded up to two digits, are %d', (keys, round) => expect(roundedUp(keys)).toBe(round));

describe('distinct keys by coupons', () => {
  // The table of Apache DataSketches (CubicInterpolation.hpp).
  test.each([
    [0, 0],
    [20, 20.0000009437402],
    [400, 400.000396371338],
    [8000, 8000.1589294602],
    [160_000, 160_063.60677637596],
  ])('%d of them', (coupons, keys) => {
    expect(Math.abs(estimateFromCoupons(coupons).count - keys)).toBeLessThanOrEqual(1e-6 * keys);
  });

  test('with the error that DataSketches states, 0.409 / 2^13', () => {
    const { count, error } = estimateFromCoupons(6000);
    expect(error / count / (0.409 / 2 ** 13)).toBeCloseTo(1, 2);
  });
});
