import { type PositionedFile, readAt } from '../../io/positioned.ts';
import type { PlainEnds } from './record-ends.ts';

/** Bytes that are searched at first for the end of a record, and at most at once. */
const SEARCH_BYTES = 4096;
const LARGEST_SEARCH = 2 ** 20;

/**
 * Where the first record begins at a position after the beginning of a file or behind it; infinite if none does, or not after
 * so many bytes.
 */
export function nextRecord(file: PositionedFile, position: number, ends: PlainEnds, longest: number): number {
  if ('length' in ends) return Math.ceil(position / ends.length) * ends.length;
  let bytes = new Uint8Array(SEARCH_BYTES);
  for (let at = position - 1; at - position < longest; ) {
    const read = readAt(file, bytes, at);
    const end = bytes.subarray(0, read).indexOf(ends.terminator);
    if (end >= 0) return at + end + 1;
    if (read < bytes.length) break;
    at += read;
    bytes = new Uint8Array(LARGEST_SEARCH);
  }
  return Number.POSITIVE_INFINITY;
}
