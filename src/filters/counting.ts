import { equalDigestRate, occupiedRate } from '../sizing/bloom.ts';
import { estimateFromFill, sumEstimates } from '../sizing/cardinality.ts';
import { COUNTER_BITS, COUNTING } from '../sizing/counting.ts';
import { isSegmented, segmentBytes, segmented } from '../sizing/geometry.ts';
import { solve } from '../sizing/solve.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';

/** The fill of a segment is the number of its counters that are not 0, and this many times that of its full ones. */
const FULL_UNIT = 2 ** 32;

/**
 * The counting Bloom filter (Fan, Cao, Almeida & Broder 2000), with counters of 4 bits.
 *
 * Idea: a counter in the place of every bit says how often it was set, so that a key can be taken out again.
 * Invariant: no counter is lower than the number of its keys, or it is full; a full one is never lowered. So a key
 * stays found until it is removed as often as it was added.
 * Limits: four times the size of a Bloom filter; to remove a key that was never added, but seems to have been, harms
 * others.
 */
export const counting: FilterKind = {
  id: 3,
  name: 'counting',
  purpose: 'forgets keys, also those that are added many times',
  places: 'counters',
  refuses: false,
  itemsToPlan: (distinct) => distinct,
  abilities: ['add', 'remove', 'merge'],
  plan: (constraints) => solve(COUNTING, constraints),
  geometry: (bits) => segmented(bits),
  isShape: isSegmented,
  attach(kernel, shape) {
    const { k } = shape;
    const [bytes, counters] = [segmentBytes(shape), countersOf(shape)];
    const add = kernel.entry('countingAdd');
    const test = kernel.entry('countingTest');
    const remove = kernel.entry('countingRemove');
    const unite = kernel.entry('countingUnite');
    const used = kernel.entry('countingUsed');
    const full = kernel.entry('countingFull');
    return {
      add: (segment, digests, count) => add(segment, counters, k, digests, count),
      test: (segment, digests, count, hits) => test(segment, counters, k, digests, count, hits),
      remove: (segment, digests, count) => remove(segment, counters, k, digests, count),
      unite: (segment, from) => unite(segment, from, bytes),
      fill: (segment) => used(segment, bytes) + FULL_UNIT * full(segment, bytes),
    };
  },
  predictedRate: (items, shape) =>
    Math.min(1, occupiedRate(items / shape.segments, countersOf(shape), shape.k) + equalDigestRate(items)),
  fillRatio: (fill, shape) => sum(fill.map(usedIn)) / (shape.segments * countersOf(shape)),
  details: (fill) => [{ name: 'fullCounters', label: 'full counters', value: sum(fill.map(fullIn)) }],
  // A stranger falls into each segment equally often, and there its probes hit counters in use independently.
  rateFromFill(fill, shape) {
    const occupied = sum(fill.map((of) => (usedIn(of) / countersOf(shape)) ** shape.k)) / shape.segments;
    return Math.min(1, occupied + equalDigestRate(counting.itemsFromFill(fill, shape).count));
  },
  itemsFromFill: (fill, shape) =>
    sumEstimates(fill.map((of) => estimateFromFill(usedIn(of), countersOf(shape), shape.k))),
};

/** Counters of a segment. */
function countersOf({ segmentBits }: Shape): number {
  return segmentBits / COUNTER_BITS;
}

function usedIn(fill: number): number {
  return fill % FULL_UNIT;
}

function fullIn(fill: number): number {
  return Math.floor(fill / FULL_UNIT);
}
