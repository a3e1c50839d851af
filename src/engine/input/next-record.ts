import { type PositionedFile, readAt } from '../../io/positioned.ts';
import type { PlainEnds } from './record-ends.ts';

/** Bytes that are searched first for the end of a record, and bytes per later read. */
const SEARCH_BYTES = 4096;
const LARGEST_SEARCH = 2 ** 20;

/**
 * The position of the first record that begins at `position` or after it; `position` is after the beginning of the file. Infinite if no
 * record begins there, or not within `longest` bytes.
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
