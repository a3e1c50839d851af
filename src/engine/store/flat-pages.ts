import { damaged } from '../../errors.ts';
import type { FlatShape } from '../../filters/position-rules.ts';
import type { StoredBits, StoredPart } from '../../formats/format.ts';
import { createBlockReader, type ReadBlock, type StoredBlock } from '../../formats/stored-blocks.ts';
import { readAt } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type FlatPayload, PAGE_BITS, PAGE_BYTES } from './flat-payload.ts';
import { accessTo, STATE } from './paged-memory.ts';

/** Puts the bytes of a page into `into`, which is larger than the last page. */
export type ReadPage = (page: number, into: Uint8Array) => void;

/**
 * Reads pages from a file, of blocks by way of the memory of a kernel. They throw `input` errors, and a `format` error where
 * the file ends before the bits do, or a block is not what it was.
 */
export function pagesIn({ file, parts }: StoredBits, kernel: Kernel): ReadPage {
  const ends = endsOf(parts);
  const readBlock = keepingLast(createBlockReader(file, kernel));
  const readPart = ({ offset, block }: StoredPart, from: number, into: Uint8Array) => {
    if (offset === undefined) into.fill(0);
    else if (block !== undefined) into.set(readBlock(block).subarray(offset + from, offset + from + into.length));
    else if (readAt(file, into, offset + from) < into.length) throw damaged(file.name, 'it has become shorter');
  };
  return (page, into) => {
    const wanted = page * PAGE_BYTES;
    for (let i = firstPast(ends, wanted); i < parts.length; i++) {
      const part = parts[i];
      const start = ends[i - 1] ?? 0;
      if (part === undefined || start >= wanted + PAGE_BYTES) break;
      const from = Math.max(start, wanted);
      const to = Math.min(start + part.bytes, wanted + PAGE_BYTES);
      if (from < to) readPart(part, from - start, into.subarray(from - wanted, to - wanted));
    }
  };
}

/** Where each part ends in the array. */
function endsOf(parts: readonly StoredPart[]): Float64Array {
  let end = 0;
  return Float64Array.from(parts, ({ bytes }) => (end += bytes));
}

/** The index of the first part that ends behind a byte. */
function firstPast(ends: Float64Array, byte: number): number {
  let [from, to] = [0, ends.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ends[middle] ?? 0) <= byte) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Reads a block but once as long as no other is wanted, as for the pages of a large one. */
function keepingLast(read: ReadBlock): ReadBlock {
  let last: StoredBlock | undefined;
  let content: Uint8Array = new Uint8Array();
  return (block) => {
    if (block !== last) {
      last = undefined;
      content = read(block);
      last = block;
    }
    return content;
  };
}

/** The pages of a flat array, as one of its threads sees them. */
export interface FlatPages {
  /** Sees to it that a page is there. */
  settle(page: number): void;
  /** Does some work on a page that is there while no other thread does so. */
  during(page: number, work: () => void): void;
}

/**
 * `read` is called once for each page that is needed; without it they are zeros. A page that is there is never read again.
 */
export function createFlatPages(
  { shape, firstPage, states }: FlatPayload,
  bytesOf: (page: number) => Uint8Array,
  read?: ReadPage,
): FlatPages {
  const pieces = accessTo({ states }, (piece) => {
    if (read !== undefined) readBits(shape, piece - firstPage, read, bytesOf(piece - firstPage));
  });
  return {
    during: (page, work) => pieces.during(firstPage + page, STATE.there, work),
    settle: (page) => pieces.settle(firstPage + page),
  };
}

/** Reads a page; whatever is read for bits that the array does not have, they are zeros. */
export function readBits(shape: FlatShape, page: number, read: ReadPage, into: Uint8Array): void {
  read(page, into);
  const bits = shape.bits - page * PAGE_BITS;
  if (bits >= PAGE_BITS) return;
  const wordsEnd = Math.ceil(bits / 64) * 64;
  for (let bit = bits; bit < wordsEnd; bit++) {
    const at = bit ^ flipOf(shape);
    into[at >> 3] = (into[at >> 3] ?? 0) & ~(1 << (at & 7));
  }
  clear(into.subarray(wordsEnd / 8));
}

/** Makes zeros of words, but writes to none that is one: memory that nobody has written to takes none. */
function clear({ buffer, byteOffset, byteLength }: Uint8Array): void {
  const words = new Uint32Array(buffer, byteOffset, byteLength / 4);
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) words[i] = 0;
}

/** What is xored with a position: bits 3 to 5 are the number of its byte in a word of 64 bits. */
export function flipOf({ order }: FlatShape): number {
  return order === 'be64' ? 56 : 0;
}
