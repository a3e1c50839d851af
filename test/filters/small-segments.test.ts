// Filters with many small segments. Their numbers of keys differ more than those of large segments.

import { expect, test } from 'vitest';
import { bloom } from '../../src/filters/bloom.ts';
import { counting } from '../../src/filters/counting.ts';
import type { FilterKind } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { asymptoticRate } from '../../src/sizing/bloom.ts';
import { filterOf } from '../engine/alone.ts';
import { inLongRuns } from '../long.ts';
import { createRandom, randomDigests } from '../reference/random.ts';
import { openVessel } from './filling.ts';

const SMALLEST = 8 * 4096;

/** A planned filter with segments of at most `segmentBits` bits, filled to capacity with random digests. */
function filled(kind: FilterKind, items: number, k: number, segmentBits: number, seed: number) {
  const constraints = { items, fpr: 2 ** -k, k, segmentBits };
  const plan = kind.plan(constraints);
  if (plan === undefined) throw new Error('n and p suffice');
  const shape = { ...kind.geometry(plan.bits, plan.k, segmentBits), k: plan.k };
  const vessel = openVessel(shape, filterOf(shape, undefined, 1, undefined, kind));
  const random = createRandom(seed);
  const members = randomDigests(random, items);
  vessel.add(members);
  return { shape, vessel, members, random };
}

test.each<[FilterKind, number]>([
  [bloom, 1],
  [counting, 4],
])('$name: a rate of 1e-9 is stated with what small segments add, as their bits have it', (kind, unit) => {
  const [k, items] = [30, inLongRuns(1_000_000, 250_000)];
  const { shape, vessel } = filled(kind, items, k, SMALLEST, 5);
  const positions = shape.segmentBits / unit;
  const rates = vessel.segments
    .fills()
    .map((fill) => kind.fillRatio([fill], { ...shape, segments: 1, bits: shape.segmentBits }) ** k);
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length;
  const interval = 4 * Math.sqrt(variance / rates.length);
  expect(Math.abs(kind.predictedRate(items, shape) - mean)).toBeLessThan(interval);
  // The rate at the mean number of keys would be outside the interval.
  expect(mean - asymptoticRate(items / shape.segments, positions, k)).toBeGreaterThan(interval);
});

const STATIC = KINDS.filter(({ drafts, dividesFinely }) => drafts !== undefined && dividesFinely);
const SIZES = [SMALLEST, 8 * 6016, 8 * 16_384, 8 * 65_536];
const CASES = STATIC.flatMap((kind) =>
  SIZES.flatMap((bits) => [4, 7, 9, 12, 20].map((k) => [kind.name, bits, k, kind] as const)),
);

test.each(
  inLongRuns(
    CASES,
    CASES.filter((_, i) => i % 7 === 1),
  ),
)(
  'a %s filter with segments of at most %d bits holds what it was planned for, with k = %d',
  (_, segmentBits, k, kind) => {
    const items = Math.max(inLongRuns(500_000, 60_000), Math.round((4 * segmentBits) / k));
    const { shape, vessel, members, random } = filled(kind, items, k, segmentBits, k);
    expect(shape.segmentBits).toBeLessThanOrEqual(segmentBits);
    expect(shape.segments > 1 && kind.isShape(shape)).toBe(true);
    expect(kind.predictedRate(items, shape)).toBeLessThan(1);
    expect(kind.predictedRate(1.3 * items, shape)).toBe(1);
    expect(vessel.count(members)).toBe(items);
    const [nonMembers, rate] = [4 * items, 2 ** -k];
    const found = vessel.count(randomDigests(random, nonMembers));
    // The 99.9 % interval.
    expect(Math.abs(found - nonMembers * rate)).toBeLessThanOrEqual(
      3.29 * Math.sqrt(nonMembers * rate * (1 - rate)) + 1,
    );
  },
);

test.each(CASES.map(([name, bits, k, kind]) => [name, bits, k, kind] as const))(
  'a %s filter with segments of at most %d bits and k = %d has as few segments as its bits need',
  (_, segmentBits, k, kind) => {
    for (const items of [1, 1000, 100_000, 3_000_001, 1e9]) {
      const plan = kind.plan({ items, fpr: 2 ** -k, segmentBits });
      if (plan === undefined) throw new Error('n and p suffice');
      const shape = { ...kind.geometry(plan.bits, plan.k, segmentBits), k: plan.k };
      expect(shape.bits).toBe(plan.bits);
      expect(kind.isShape(shape)).toBe(true);
      expect(plan.predictedFpr).toBeLessThan(1);
      expect(kind.predictedRate(items, shape)).toBeLessThan(1);
      expect(kind.plan({ items, bits: plan.bits, fpr: 2 ** -k, segmentBits })?.k).toBeGreaterThanOrEqual(k);
    }
  },
);
