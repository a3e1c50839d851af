import { occupiedRate, rateOfShares } from '../sizing/bloom.ts';
import { estimateFromFill, sumEstimates } from '../sizing/cardinality.ts';
import { COUNTER_BITS, COUNTING } from '../sizing/counting.ts';
import { equalDigestRate, equalDigestRateIn } from '../sizing/equal-digests.ts';
import { isSegmentedFinely, LINE_BITS, segmented } from '../sizing/geometry.ts';
import { solve } from '../sizing/solve.ts';
import { spreadOfBits } from '../sizing/zeros.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { foundScratch, writeParameters } from './parameters.ts';

/** The fill of a segment: its counters that are not 0, and the full ones among them. */
interface Counters {
  readonly used: number;
  readonly full: number;
}

/** The unit of full counters in the table. */
const FULL_UNIT = 2 ** 32;

/**
 * The counting Bloom filter (Fan, Cao, Almeida & Broder 2000), with counters of 4 bits.
 *
 * Idea: a counter replaces every bit and counts how often it was set, so that a key can be removed.
 * Invariant: a counter is at least the number of its keys, or it is full; a full counter is never lowered. So a key is found until it is
 * removed as often as it was added.
 * Limits: four times the size of a Bloom filter. To remove a false positive harms other keys.
 */
export const counting: FilterKind<Counters> = {
  id: 3,
  name: 'counting',
  purpose: 'supports removal, also of keys added several times',
  units: 'counters',
  refuses: false,
  itemsToPlan: (distinct) => distinct,
  abilities: ['add', 'remove', 'union'],
  plan: (constraints) => solve(COUNTING, constraints),
  geometry: (bits, _, segmentBits) => segmented(bits, LINE_BITS, segmentBits),
  dividesFinely: true,
  isShape: isSegmentedFinely,
  attach(kernel, shape, scratch) {
    const { countingAdd, countingAddNew, countingFill, countingRemove, countingTest, countingMerge } = kernel.exports;
    const parameters = writeParameters(kernel, scratch, { units: countersOf(shape), k: shape.k });
    const found = foundScratch(kernel, scratch);
    return {
      add(segment, digests, count) {
        countingAdd(segment, digests, count, parameters);
        return 0;
      },
      addNew(segment, digests, count, known) {
        countingAddNew(segment, digests, count, known, parameters);
        return count;
      },
      test: (segment, digests, count, hits) => countingTest(segment, digests, count, hits, parameters),
      remove: (segment, digests, count) => countingRemove(segment, digests, count, parameters),
      mergeFrom(segment, from) {
        countingMerge(segment, from, parameters);
        return 0;
      },
      fill(segment) {
        countingFill(segment, parameters, found.address);
        const [used = 0, full = 0] = found.values;
        return { used, full };
      },
    };
  },
  packFill: ({ used, full }) => used + FULL_UNIT * full,
  unpackFill: (packed) => ({ used: packed % FULL_UNIT, full: Math.floor(packed / FULL_UNIT) }),
  predictedRate(items, shape) {
    const occupied = rateOfShares(items, shape, (share) => occupiedRate(share, countersOf(shape), shape.k));
    return Math.min(1, occupied + equalDigestRate(items));
  },
  fillRatio: (fill, shape) => sum(fill.map(({ used }) => used)) / (shape.segments * countersOf(shape)),
  details: (fill) => [{ name: 'fullCounters', label: 'full counters', value: sum(fill.map(({ full }) => full)) }],
  // A non-member falls into each segment equally often, and its probes there hit used counters independently.
  rateFromFill(fill, shape) {
    const occupied = sum(fill.map(({ used }) => (used / countersOf(shape)) ** shape.k)) / shape.segments;
    return Math.min(1, occupied + equalDigestRateIn(shape, counting.itemsFromFill(fill, shape).count));
  },
  itemsFromFill: (fill, shape) =>
    sumEstimates(fill.map(({ used }) => estimateFromFill(used, countersOf(shape), shape.k))),
  occupancy: ({ bits, segments, k }) => ({
    ...{ units: bits / COUNTER_BITS, hashes: k, pools: segments, spread: spreadOfBits },
  }),
};

/** Counters per segment. */
function countersOf({ segmentBits }: Shape): number {
  return segmentBits / COUNTER_BITS;
}
