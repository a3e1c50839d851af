import { BLOOM, occupiedRate, rateOfShares } from '../sizing/bloom.ts';
import { type Estimate, estimateFromFill, sumEstimates } from '../sizing/cardinality.ts';
import { equalDigestRate, equalDigestRateIn } from '../sizing/equal-digests.ts';
import { isSegmentedFinely, LINE_BITS, segmentBytes, segmented } from '../sizing/geometry.ts';
import { solve } from '../sizing/solve.ts';
import { spreadOfBits } from '../sizing/zeros.ts';
import { type FilterKind, type PredictedStructure, type Shape, sum } from './kind.ts';
import { groupScratch, writeParameters } from './parameters.ts';

/** The fill of a segment. */
export interface Ones {
  readonly ones: number;
}

/** How a Bloom filter keeps keys, in segments or in one bit array. */
export const bloomStructure: PredictedStructure<Ones> = {
  name: 'bloom',
  units: 'bits',
  refuses: false,
  itemsToPlan: (distinct) => distinct,
  abilities: ['add', 'union'],
  plan: (constraints) => solve(BLOOM, constraints),
  predictedRate(items, shape) {
    const occupied = rateOfShares(items, shape, (share) => occupiedRate(share, shape.segmentBits, shape.k));
    return Math.min(1, occupied + equalDigestRate(items));
  },
  fillRatio: (fill, { bits }) => sum(fill.map(({ ones }) => ones)) / bits,
  details: () => [],
  // A non-member falls into each segment equally often, and its probes there hit ones independently.
  rateFromFill(fill, shape) {
    const { segments, segmentBits, k } = shape;
    const occupied = sum(fill.map(({ ones }) => (ones / segmentBits) ** k)) / segments;
    return Math.min(1, occupied + equalDigestRateIn(shape, itemsFromOnes(fill, shape).count));
  },
  itemsFromFill: itemsFromOnes,
  occupancy: ({ bits, segments, k }) => ({ units: bits, hashes: k, pools: segments, spread: spreadOfBits }),
};

/**
 * The standard Bloom filter (Bloom 1970), one per segment.
 *
 * Idea: a key sets k of m bits. A key whose bits are all set may have been added; any other key was not.
 * Invariant: bits are only ever set, so a member is always found. The OR of two filters of the same shape is the filter of the union.
 * Limits: keys cannot be removed, and the rate grows with every key beyond the capacity.
 */
export const bloom: FilterKind<Ones> = {
  ...bloomStructure,
  id: 1,
  plan: (constraints) => solve(BLOOM, constraints),
  purpose: 'the default: small, fast and mergeable',
  geometry: (bits, _, segmentBits) => segmented(bits, LINE_BITS, segmentBits),
  dividesFinely: true,
  isShape: isSegmentedFinely,
  attach(kernel, shape, scratch) {
    const { bloomAdd, bloomAddNew, bloomHasKey, bloomTest, orInto, popcount } = kernel.exports;
    const bytes = segmentBytes(shape);
    const parameters = writeParameters(kernel, scratch, {
      segments: shape.segments,
      units: shape.segmentBits,
      k: shape.k,
      bytes,
    });
    const group = groupScratch(scratch);
    return {
      add(segment, digests, count) {
        bloomAdd(segment, digests, count, parameters);
        return 0;
      },
      addNew(segment, digests, count, known) {
        bloomAddNew(segment, digests, count, known, parameters, group);
        return count;
      },
      test: (segment, digests, count, hits) => bloomTest(segment, digests, count, hits, parameters, group),
      hasKey: (segments, key, length, seedLow, seedHigh) =>
        bloomHasKey(segments, key, length, seedLow, seedHigh, parameters),
      mergeFrom(segment, from) {
        orInto(segment, from, bytes);
        return 0;
      },
      fill: (segment) => ({ ones: Number(popcount(segment, bytes)) }),
    };
  },
  packFill: ({ ones }) => ones,
  unpackFill: (ones) => ({ ones }),
};

function itemsFromOnes(fill: readonly Ones[], { segmentBits, k }: Shape): Estimate {
  return sumEstimates(fill.map(({ ones }) => estimateFromFill(ones, segmentBits, k)));
}
