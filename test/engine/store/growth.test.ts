// A filter that grows keeps its rate below its limit, whatever keys come in whatever batches.

import { expect, test } from 'vitest';
import { NO_DIGESTS, VISIT_LIMIT } from '../../../src/engine/input/digests.ts';
import { createGrowth } from '../../../src/engine/store/growth.ts';
import { createFilter, openSegments, type SharedSegments } from '../../../src/engine/store/shared-segments.ts';
import type { FilterKind, Shape } from '../../../src/filters/kind.ts';
import { scalable as kindThatGrows } from '../../../src/filters/scalable.ts';
import type { Slice } from '../../../src/sizing/chain.ts';
import type { Constraints } from '../../../src/sizing/solve.ts';
import { openVessel } from '../../filters/filling.ts';
import { usedKernel } from '../../kernel/kernels.ts';
import { inLongRuns } from '../../long.ts';
import { below, createRandom, type Random, randomDigests } from '../../reference/random.ts';

const scalable: FilterKind = kindThatGrows;

/** A first slice as `build` makes it. */
function begun(constraints: Constraints): Shape {
  const plan = scalable.plan(constraints);
  if (plan === undefined) throw new Error('these constraints do not determine a filter');
  const geometry = scalable.geometry(plan.bits, plan.k);
  return { ...geometry, k: plan.k, chain: scalable.growing?.chain(plan, geometry.segments, constraints) };
}

/** The filter after some batches. Each batch is added to the result of the batch before, as `add` does. */
function grown(shape: Shape, batches: readonly BigUint64Array[], trims = false): SharedSegments {
  const kernel = usedKernel();
  const address = kernel.reserve(8 * VISIT_LIMIT);
  let filter = createFilter(scalable, shape, 1);
  for (const batch of batches) {
    const growth = createGrowth(kernel, filter, { trims: trims && batch === batches[0] });
    for (let start = 0; start < batch.length; start += VISIT_LIMIT) {
      const part = batch.subarray(start, start + VISIT_LIMIT);
      new BigUint64Array(kernel.memory.buffer, address, part.length).set(part);
      growth.take({ ...NO_DIGESTS, address, count: part.length });
    }
    growth.takeLast(NO_DIGESTS);
    filter = growth.filter();
  }
  return filter;
}

/** The rate of each slice by its set bits: the mean of (X/m)^k over its segments. The unit is the rate p (1 - r) r^i of the paper. */
function ratesOf(filter: SharedSegments): { readonly together: number; readonly slices: number[] } {
  const { chain, segmentBits } = filter.payload.shape;
  const { fpr, tightening } = chain ?? { fpr: 1, tightening: 0 };
  const fills = openSegments(filter, usedKernel(), 0).fills();
  const ones = fills.map((fill) => scalable.packFill(fill));
  let [first, missed] = [0, 1];
  const slices = (chain?.slices ?? []).map(({ segments, k }, i) => {
    const slice = ones.slice(first, first + segments);
    first += segments;
    const rate = slice.reduce((sum, set) => sum + (set / segmentBits) ** k, 0) / segments;
    missed *= 1 - rate;
    return rate / (fpr * (1 - tightening) * tightening ** i);
  });
  return { together: (1 - missed) / fpr, slices };
}

/**
 * A slice may exceed its own rate by chance; the next slice then stays below its own. The smallest slices here have about 2^15 bits.
 * The relative standard error of their rate is k times that of their ones: 13 * 0.3 % = 4 %. A first slice may be smaller.
 */
const BY_CHANCE = 1.2;
const FIRST_BY_CHANCE = 1.4;

function expectRates(filter: SharedSegments): void {
  const { together, slices } = ratesOf(filter);
  expect(together).toBeLessThan(1);
  expect(slices[0]).toBeLessThan(FIRST_BY_CHANCE);
  expect(Math.max(0, ...slices.slice(1))).toBeLessThan(BY_CHANCE);
}

/** Up to this many bits, a larger slice replaces the only slice of a new filter. */
const FIRST_BITS = 2 ** 22;

/** The number of keys at the end of each slice of a new filter. There the waiting keys come to an empty slice. */
function ends(first: Shape, growth: number, most: number): number[] {
  const { chain, segmentBits } = first;
  if (chain === undefined) throw new Error('there are no slices');
  let { segments } = first;
  while (growth * segments * segmentBits <= FIRST_BITS) segments *= growth;
  const all: number[] = [];
  const slices: Slice[] = [];
  for (; (all.at(-1) ?? 0) < most; segments *= growth) {
    const rate = chain.fpr * (1 - chain.tightening) * chain.tightening ** slices.length;
    slices.push({ segments, k: Math.round(-Math.log2(rate)) });
    all.push(scalable.capacity?.({ ...first, chain: { ...chain, slices } }) ?? 0);
  }
  return all.filter((end) => end < most);
}

/** Keys in batches of sizes of every order of magnitude. */
function inBatches(random: Random, keys: number): BigUint64Array[] {
  const batches: BigUint64Array[] = [];
  for (let left = keys; left > 0; ) {
    const size = Math.min(left, 1 + Math.floor(10 ** ((5 * random()) / 2 ** 32)));
    batches.push(randomDigests(random, size));
    left -= size;
  }
  return batches;
}

const MOST = inLongRuns(2_000_000, 400_000);
const BEGINNINGS: readonly Constraints[] = [
  { items: 1000, fpr: 0.01 },
  { items: 20_000, fpr: 0.5, growth: 16 },
  { items: 5000, fpr: 1e-6, growth: 8 },
  { items: 1000, fpr: 0.01, tightening: 0.5 },
];

test.each(BEGINNINGS)('at the beginning of the last slice, the rate is below the limit: %o', (constraints) => {
  const random = createRandom(1);
  const { growth = 2 } = constraints;
  const first = begun(constraints);
  for (const end of ends(first, growth, MOST).slice(-inLongRuns(20, 1))) {
    for (const share of inLongRuns([1, 1.001, 1.002, 1.005, 1.01, 1.03], [1.005])) {
      const digests = randomDigests(random, Math.round(share * end));
      const filter = grown(first, [digests]);
      expectRates(filter);
      expect(openVessel(filter.payload.shape, filter).count(digests)).toBe(digests.length);
    }
  }
});

test.each(inLongRuns([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1]))(
  'batches of all sizes keep the rate below the limit: %d',
  (seed) => {
    const random = createRandom(seed);
    for (const constraints of BEGINNINGS) {
      const batches = inBatches(random, below(random, MOST / 2));
      const filter = grown(begun(constraints), batches, seed % 2 === 0);
      expectRates(filter);
      const vessel = openVessel(filter.payload.shape, filter);
      for (const batch of batches) expect(vessel.count(batch)).toBe(batch.length);
    }
  },
);

test('a slice of so few columns that many digests may wait for each is filled', () => {
  // Two columns, with more than half as many keys each as 32 visits take.
  const first = begun({ items: 800_000, fpr: 0.9 });
  const digests = randomDigests(createRandom(2), 900_000);
  const filter = grown(first, [digests]);
  expect(filter.payload.shape.chain?.slices).toHaveLength(2);
  expect(openVessel(filter.payload.shape, filter).count(digests)).toBe(digests.length);
});

// The digests of the first slice are kept until it is cut. More than 2^20 of them are kept once each.
test('a filter whose keys are repeated a million times is cut to its distinct keys', () => {
  const random = createRandom(2);
  const first = begun({ items: 100_000, fpr: 0.01 });
  const distinct = randomDigests(random, 2 ** 14);
  const repeated = new BigUint64Array(2 ** 20 + 2 ** 15);
  for (let i = 0; i < repeated.length; i += distinct.length) repeated.set(distinct, i);
  const later = randomDigests(random, 2 ** 14);
  repeated.set(later, 2 ** 20 + 2 ** 14);
  const filter = grown(first, [repeated], true);
  const vessel = openVessel(filter.payload.shape, filter);
  for (const keys of [distinct, later]) expect(vessel.count(keys)).toBe(keys.length);
  const cut = grown(first, [repeated.subarray(2 ** 20)], true);
  expect(filter.payload.shape).toEqual(cut.payload.shape);
  expect(cut.payload.shape.segments * cut.payload.shape.segmentBits).toBeLessThan(first.segments * first.segmentBits);
});
