import { bloom, type Ones } from './bloom.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';

/**
 * The Bloom filter of other systems in which all keys set a bit in a cache too, which is asked first: bits behind its segments.
 * How full it is comes in parts as large as a segment, after those.
 */
export const cached: FilterKind<Ones> = {
  ...bloom,
  // The cache lets a stranger pass as often as its bits are ones, and that has next to nothing to do with the segment.
  rateFromFill: (fill, shape) => cacheFill(fill, shape) * bloom.rateFromFill(fill.slice(0, shape.segments), shape),
  itemsFromFill: (fill, shape) => bloom.itemsFromFill(fill.slice(0, shape.segments), shape),
};

function cacheFill(fill: readonly Ones[], { bits, segments, segmentBits }: Shape): number {
  const cacheBits = bits - segments * segmentBits;
  return cacheBits === 0 ? 1 : sum(fill.slice(segments).map(({ ones }) => ones)) / cacheBits;
}
