import { LINE_BITS, segmentBytes } from '../sizing/geometry.ts';
import type { Drafts, FilterKind, Shape } from './kind.ts';

/** The size of a draft's head, which describes its content. */
export const DRAFT_HEAD_BYTES = 64;

/** Bytes after the last number, because numbers are read and written as words. */
const DRAFT_END_BYTES = 8;

const LINE_BYTES = LINE_BITS / 8;

/** What a kind has in memory besides the bytes of its segments. */
export type InMemory = Partial<Pick<FilterKind, 'drafts' | 'tallyBytes'>>;

/** Bytes of a segment in memory with its tally, or of the draft that becomes the segment in place. */
export function bytesInMemory(shape: Shape, { drafts, tallyBytes = 0 }: InMemory): number {
  const list = drafts === undefined ? 0 : drafts.bytes(shape);
  return Math.max(inLines(list), segmentBytes(shape)) + tallyBytes;
}

/** Bytes of a list of this many numbers, `width` bytes each. */
export function listBytes(capacity: number, width: number): number {
  return DRAFT_HEAD_BYTES + width * capacity + DRAFT_END_BYTES;
}

/** Bytes in whole cache lines. */
export function inLines(bytes: number): number {
  return LINE_BYTES * Math.ceil(bytes / LINE_BYTES);
}

/** Scratch per number to sort a list: 8 bytes for a copy, and 4 bytes for a bucket. There are at most as many buckets as numbers. */
const SORTING_BYTES = 12;

/** Bytes of scratch for work on drafts. A segment that becomes a draft is read to the scratch. */
export function draftScratchBytes(shape: Shape, drafts: Drafts | undefined): number {
  if (drafts === undefined) return 0;
  return Math.max(SORTING_BYTES * drafts.capacity(shape), drafts.sealBytes(shape), segmentBytes(shape));
}
