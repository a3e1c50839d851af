import { firstsOf, slicesOf } from '../../sizing/chain.ts';
import { SEGMENT_BITS_LIMIT } from '../../sizing/geometry.ts';
import type { Payload } from './payload.ts';

/** Segments of a slice that are side by side. */
export interface Run {
  readonly first: number;
  readonly count: number;
}

/** Bits of a run of the largest slice, or of a segment that has more: the runs of all slices have twice as many. */
const RUN_BITS = SEGMENT_BITS_LIMIT / 2;

/**
 * The columns of a filter, which are visited one at a time. Of most kinds each is a segment. A digest that belongs to a
 * column of slices belongs, in each of them, to one segment of a run, as their numbers of segments are powers of two.
 * Where there are several memories a run is a segment, so that it is in one of them.
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
