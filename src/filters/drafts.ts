import { LINE_BITS, segmentBytes } from '../sizing/geometry.ts';
import type { Drafts, FilterKind, Shape } from './kind.ts';

/** The first bytes of a draft, which say what is in it. */
export const DRAFT_HEAD_BYTES = 64;

/** Bytes behind the last number, as numbers are read and written as words. */
const DRAFT_END_BYTES = 8;

const LINE_BYTES = LINE_BITS / 8;

/** What a kind has in memory besides the bytes of its segments. */
export type InMemory = Partial<Pick<FilterKind, 'drafts' | 'tallyBytes'>>;

/** Bytes that a segment takes in memory with its tally, or the draft that becomes the segment in its place. */
export function bytesInMemory(shape: Shape, { drafts, tallyBytes = 0 }: InMemory): number {
  const list =
    drafts === undefined ? 0 : DRAFT_HEAD_BYTES + drafts.width(shape) * drafts.capacity(shape) + DRAFT_END_BYTES;
  return Math.max(LINE_BYTES * Math.ceil(list / LINE_BYTES), segmentBytes(shape)) + tallyBytes;
}

/** To sort a list takes as much again for each number, and half as much for a bucket, of which there are no more. */
const SORTING_BYTES = 12;

/** Bytes of scratch that work on drafts takes. One that is made of a segment reads it there. */
export function draftScratchBytes(shape: Shape, drafts: Drafts | undefined): number {
  if (drafts === undefined) return 0;
  return Math.max(SORTING_BYTES * drafts.capacity(shape), drafts.sealBytes(shape), segmentBytes(shape));
}
