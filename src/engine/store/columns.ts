import { firstsOf, slicesOf } from '../../sizing/chain.ts';
import { SEGMENT_BITS_LIMIT } from '../../sizing/geometry.ts';
import type { Payload } from './payload.ts';

/** Adjacent segments of a slice. */
export interface Run {
  readonly first: number;
  readonly count: number;
}

/** Bits of a run in the largest slice, unless a single segment has more. The runs of all slices together have at most twice as many. */
const RUN_BITS = SEGMENT_BITS_LIMIT / 2;

/**
 * The columns of a filter, which are visited one at a time. In most kinds, a column is a segment.
 *
 * In a filter with slices, a column is one run of each slice. A digest of a column belongs to one segment of each run, because the numbers
 * of segments are powers of two. With several memories, a run is one segment, so that it lies in one memory.
 */
export function columnsOf({ shape, memories }: Pick<Payload, 'shape' | 'memories'>): number {
  if (shape.chain === undefined) return shape.segments;
  const largest = Math.max(...shape.chain.slices.map(({ segments }) => segments));
  const together = memories.length > 1 ? 1 : Math.max(1, 2 ** Math.floor(Math.log2(RUN_BITS / shape.segmentBits)));
  return Math.max(1, largest / together);
}

/** The run of a column in each slice. */
export function runsOf(payload: Pick<Payload, 'shape' | 'memories'>, column: number): Run[] {
  const columns = columnsOf(payload);
  const slices = slicesOf(payload.shape);
  const firsts = firstsOf(slices);
  return slices.map(({ segments }, i) => ({
    first: (firsts[i] ?? 0) + Math.floor((column * segments) / columns),
    count: Math.max(1, segments / columns),
  }));
}
