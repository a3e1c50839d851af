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
  room: (distinct) => distinct,
  abilities: ['add', 'merge'],
  plan: (wish) => solve(BLOOM, wish),
  geometry: (bits) => segmented(bits),
  isShape: isSegmented,
  attach(kernel, shape) {
    const { segmentBits, hashes } = shape;
    const bytes = segmentBytes(shape);
    const add = kernel.entry('bloomAdd');
    const test = kernel.entry('bloomTest');
    return {
      add: (segment, digests, count) => add(segment, segmentBits, hashes, digests, count),
      test: (segment, digests, count, hits) => test(segment, segmentBits, hashes, digests, count, hits),
      unite(segment, from) {
        kernel.run.orInto(segment, from, bytes);
        return 0;
      },
      fill: (segment) => Number(kernel.run.popcount(segment, bytes)),
    };
  },
  // Segments differ in their share of the keys by less than moves this by a ten-thousandth of itself.
  predictedRate: (items, { segments, segmentBits, hashes }) =>
    Math.min(1, occupiedRate(items / segments, segmentBits, hashes) + equalDigestRate(items)),
  fillRatio: (ones, { bits }) => sum(ones) / bits,
  details: () => [],
  // A stranger falls into each segment equally often, and there its probes hit ones independently.
  rateFromFill(ones, { segments, segmentBits, hashes }) {
    const occupied = sum(ones.map((set) => (set / segmentBits) ** hashes)) / segments;
    return Math.min(1, occupied + equalDigestRate(itemsFromOnes(ones, segmentBits, hashes).count));
  },
  itemsFromFill: (ones, { segmentBits, hashes }) => itemsFromOnes(ones, segmentBits, hashes),
};

function itemsFromOnes(ones: readonly number[], segmentBits: number, hashes: number): Estimate {
  return sumEstimates(ones.map((set) => estimateFromFill(set, segmentBits, hashes)));
}
