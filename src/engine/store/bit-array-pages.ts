import { damaged } from '../../errors.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import type { StoredBits, StoredPart } from '../../formats/format.ts';
import { createBlockReader, type ReadBlock, type StoredBlock } from '../../formats/stored-blocks.ts';
import { expectReads, isRemote, readAt } from '../../io/positioned.ts';
import type { ByteRange } from '../../io/remote/range-plan.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type BitArrayPayload, PAGE_BITS, PAGE_BYTES } from './bit-array-payload.ts';
import { accessTo, STATE } from './paged-memory.ts';

/** Writes the bytes of a page to `into`, which is larger than the last page. */
export interface ReadPage {
  (page: number, into: Uint8Array): void;
  /** Begins to fetch pages that will be read; undefined unless the file is on a server. */
  readonly expect?: ((pages: () => readonly number[]) => void) | undefined;
}

/**
 * Reads pages from a file; blocks are read through the memory of a kernel. The readers throw `input` errors. They throw a `format` error if
 * the file ends before the bits do, or if a block has changed.
 */
export function pagesIn({ file, parts }: StoredBits, kernel: Kernel): ReadPage {
  const ends = endsOf(parts);
  const readBlock = keepingLast(createBlockReader(file, kernel));
  const readPart = ({ offset, block }: StoredPart, from: number, into: Uint8Array) => {
    if (offset === undefined) into.fill(0);
    else if (block !== undefined) into.set(readBlock(block).subarray(offset + from, offset + from + into.length));
    else if (readAt(file, into, offset + from) < into.length)
      throw damaged(file.name, 'it became shorter while it was read');
  };
  /** The parts of a page, with their bytes in the part and their position in the page. */
  function* partsOf(page: number) {
    const wanted = page * PAGE_BYTES;
    for (let i = firstPast(ends, wanted); i < parts.length; i++) {
      const part = parts[i];
      const start = ends[i - 1] ?? 0;
      if (part === undefined || start >= wanted + PAGE_BYTES) break;
      const from = Math.max(start, wanted);
      const to = Math.min(start + part.bytes, wanted + PAGE_BYTES);
      if (from < to) yield { part, from: from - start, to: to - start, at: from - wanted };
    }
  }
  const rangesOf = (page: number): ByteRange[] =>
    [...partsOf(page)].flatMap(({ part: { offset, block }, from, to }) =>
      offset === undefined || block !== undefined ? [] : [{ from: offset + from, to: offset + to }],
    );
  const read = (page: number, into: Uint8Array) => {
    for (const { part, from, to, at } of partsOf(page)) readPart(part, from, into.subarray(at, at + to - from));
  };
  const expect = (pages: () => readonly number[]) => expectReads(file, () => pages().flatMap(rangesOf));
  return Object.assign(read, isRemote(file) ? { expect } : {});
}

/** The end of each part in the array, in bytes. */
function endsOf(parts: readonly StoredPart[]): Float64Array {
  let end = 0;
  return Float64Array.from(parts, ({ bytes }) => (end += bytes));
}

/** The index of the first part that ends after a byte. */
function firstPast(ends: Float64Array, byte: number): number {
  let [from, to] = [0, ends.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ends[middle] ?? 0) <= byte) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Keeps the last block that was read: the pages of a large block follow one another. */
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

/** The pages of a bit array, as one thread sees them. */
export interface BitArrayPages {
  /** Loads a page if it is missing. */
  ensure(page: number): void;
  /** Begins to fetch the missing ones of these pages; undefined unless they are on a server. */
  readonly expect: ((pages: readonly number[]) => void) | undefined;
  /** Works on a page that is present while no other thread does. */
  during(page: number, work: () => void): void;
}

/** `read` is called once for each page that is needed; without `read`, pages are zeros. A page that is present is never read again. */
export function createBitArrayPages(
  { shape, firstPage, states }: BitArrayPayload,
  bytesOf: (page: number) => Uint8Array,
  read?: ReadPage,
): BitArrayPages {
  const pieces = accessTo({ states }, (piece) => {
    if (read !== undefined) readBits(shape, piece - firstPage, read, bytesOf(piece - firstPage));
  });
  const isMissing = (page: number) => Atomics.load(states, firstPage + page) === STATE.missing;
  const expect = read?.expect;
  return {
    expect: expect && ((pages) => expect(() => pages.filter(isMissing))),
    during: (page, work) => pieces.during(firstPage + page, STATE.present, work),
    ensure: (page) => pieces.ensure(firstPage + page),
  };
}

/** Reads a page, and clears the bits past the end of the array, whatever their values in the file. */
export function readBits(shape: BitArrayShape, page: number, read: ReadPage, into: Uint8Array): void {
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

/** Clears words, but does not write to words that are 0: memory that was never written uses no RAM. */
function clear({ buffer, byteOffset, byteLength }: Uint8Array): void {
  const words = new Uint32Array(buffer, byteOffset, byteLength / 4);
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) words[i] = 0;
}

/** The value to XOR with a position. Bits 3 to 5 of a position are the index of its byte in a 64-bit word. */
export function flipOf({ order }: BitArrayShape): number {
  return order === 'be64' ? 56 : 0;
}
