import type { Ones } from './bloom.ts';
import { type PredictedStructure, type Shape, sum } from './kind.ts';

/**
 * The Bloom filter of other systems with a cache. The cache is a bit array after the segments, in which every key sets a bit, and is
 * queried first. The fill has one entry per segment, and then one per segment-sized section of the cache.
 */
export function cachedBy(kind: PredictedStructure<Ones>): PredictedStructure<Ones> {
  const inSegments = (fill: readonly Ones[], { segments }: Shape) => fill.slice(0, segments);
  return {
    ...kind,
    // A member sets one bit of the cache.
    predictedRate: (items, shape) =>
      kind.predictedRate(items, shape) * -Math.expm1(items * Math.log1p(-1 / cacheBitsOf(shape))),
    // A non-member passes the cache with the share of its ones. This is practically independent of the segment.
    rateFromFill: (fill, shape) => cacheFill(fill, shape) * kind.rateFromFill(inSegments(fill, shape), shape),
    itemsFromFill: (fill, shape) => kind.itemsFromFill(inSegments(fill, shape), shape),
  };
}

/** Bits of the cache, after the segments. */
const cacheBitsOf = ({ bits, segments, segmentBits }: Shape) => bits - segments * segmentBits;

function cacheFill(fill: readonly Ones[], shape: Shape): number {
  return sum(fill.slice(shape.segments).map(({ ones }) => ones)) / cacheBitsOf(shape);
}
