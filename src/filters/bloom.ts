import { BLOOM, equalDigestRate, occupiedRate } from '../sizing/bloom.ts';
import { type Estimate, estimateFromFill, sumEstimates } from '../sizing/cardinality.ts';
import { isSegmented, segmentBytes, segmented } from '../sizing/geometry.ts';
import { solve } from '../sizing/solve.ts';
import { type FilterKind, sum } from './kind.ts';

/**
 * The standard Bloom filter (Bloom 1970), one a segment.
 *
 * Idea: a key sets k of m bits; a key whose bits are all set may have been added, any other was not.
 * Invariant: bits are only ever set, so a key that was added stays found, and the OR of two filters of the same shape
 * is the filter of the union.
 * Limits: keys cannot be removed, and the rate grows with every key past the capacity.
 */
export const bloom: FilterKind = {
  id: 1,
  name: 'bloom',
  purpose: 'the default: small, fast, and mergeable',
  places: 'bits',
  refuses: false,
  itemsToPlan: (distinct) => distinct,
  abilities: ['add', 'merge'],
  plan: (constraints) => solve(BLOOM, constraints),
  geometry: (bits) => segmented(bits),
  isShape: isSegmented,
  attach(kernel, shape) {
    const { segmentBits, k } = shape;
    const bytes = segmentBytes(shape);
    const add = kernel.entry('bloomAdd');
    const test = kernel.entry('bloomTest');
    return {
      add: (segment, digests, count) => add(segment, segmentBits, k, digests, count),
      test: (segment, digests, count, hits) => test(segment, segmentBits, k, digests, count, hits),
      unite(segment, from) {
        kernel.exports.orInto(segment, from, bytes);
        return 0;
      },
      fill: (segment) => Number(kernel.exports.popcount(segment, bytes)),
    };
  },
  // Segments differ in their share of the keys by less than moves this by a ten-thousandth of itself.
  predictedRate: (items, { segments, segmentBits, k }) =>
    Math.min(1, occupiedRate(items / segments, segmentBits, k) + equalDigestRate(items)),
  fillRatio: (ones, { bits }) => sum(ones) / bits,
  details: () => [],
  // A stranger falls into each segment equally often, and there its probes hit ones independently.
  rateFromFill(ones, { segments, segmentBits, k }) {
    const occupied = sum(ones.map((set) => (set / segmentBits) ** k)) / segments;
    return Math.min(1, occupied + equalDigestRate(itemsFromOnes(ones, segmentBits, k).count));
  },
  itemsFromFill: (ones, { segmentBits, k }) => itemsFromOnes(ones, segmentBits, k),
};

function itemsFromOnes(ones: readonly number[], segmentBits: number, k: number): Estimate {
  return sumEstimates(ones.map((set) => estimateFromFill(set, segmentBits, k)));
}
