import type { Ones } from './bloom.ts';
import { type PredictedStructure, type Shape, sum } from './kind.ts';

/**
 * The Bloom filter of other systems in which all keys set a bit in a cache too, which is asked first: bits behind its segments.
 * How full it is comes in parts as large as a segment, after those.
 */
export function cachedBy(kind: PredictedStructure<Ones>): PredictedStructure<Ones> {
  const inSegments = (fill: readonly Ones[], { segments }: Shape) => fill.slice(0, segments);
  return {
    ...kind,
    // A member sets one bit of the cache.
    predictedRate: (items, shape) =>
      kind.predictedRate(items, shape) * -Math.expm1(items * Math.log1p(-1 / cacheBitsOf(shape))),
    // The cache lets a stranger pass as often as its bits are ones, and that has next to nothing to do with the segment.
    rateFromFill: (fill, shape) => cacheFill(fill, shape) * kind.rateFromFill(inSegments(fill, shape), shape),
    itemsFromFill: (fill, shape) => kind.itemsFromFill(inSegments(fill, shape), shape),
  };
}

/** Bits behind the segments. */
const cacheBitsOf = ({ bits, segments, segmentBits }: Shape) => bits - segments * segmentBits;

function cacheFill(fill: readonly Ones[], shape: Shape): number {
  return sum(fill.slice(shape.segments).map(({ ones }) => ones)) / cacheBitsOf(shape);
}
