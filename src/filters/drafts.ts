import { LINE_BITS, segmentBytes } from '../sizing/geometry.ts';
import type { Drafts, Shape } from './kind.ts';

/** The first bytes of a draft, which say what is in it. */
export const DRAFT_HEAD_BYTES = 64;

const LINE_BYTES = LINE_BITS / 8;

/** Bytes that a segment takes in memory, or the draft that becomes the segment in its place. */
export function bytesInMemory(shape: Shape, drafts: Drafts | undefined): number {
  const list = drafts === undefined ? 0 : DRAFT_HEAD_BYTES + 8 * drafts.capacity(shape);
  return Math.max(LINE_BYTES * Math.ceil(list / LINE_BYTES), segmentBytes(shape));
}

/** To sort a list takes as much again for each number, and half as much for a bucket, of which there are no more. */
const SORTING_BYTES = 12;

/** Bytes of scratch that work on drafts takes. One that is made of a segment reads it there. */
export function draftScratchBytes(shape: Shape, drafts: Drafts | undefined): number {
  if (drafts === undefined) return 0;
  return Math.max(SORTING_BYTES * drafts.capacity(shape), drafts.finalizeBytes(shape), segmentBytes(shape));
}
