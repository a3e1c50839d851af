import { damaged } from '../../errors.ts';
import type { FlatShape } from '../../filters/position-rules.ts';
import type { StoredBits } from '../../formats/format.ts';
import { readAt } from '../../io/positioned.ts';
import { type FlatPayload, PAGE_BITS, PAGE_BYTES } from './flat-payload.ts';
import { STATE } from './payload.ts';
import { createSegmentLocks } from './segment-locks.ts';

/** Puts the bytes of a page into `into`, which is larger than the last page. */
export type ReadPage = (page: number, into: Uint8Array) => void;

/** Reads pages from a file. They throw `input` errors, and a `format` error where the file ends before the bits do. */
export function pagesIn({ file, parts }: StoredBits): ReadPage {
  return (page, into) => {
    const wanted = page * PAGE_BYTES;
    let start = 0;
    for (const { offset, bytes } of parts) {
      const from = Math.max(start, wanted);
      const to = Math.min(start + bytes, wanted + PAGE_BYTES);
      if (from < to) {
        const piece = into.subarray(from - wanted, to - wanted);
        if (readAt(file, piece, offset + from - start) < piece.length)
          throw damaged(file.name, 'it has become shorter');
      }
      start += bytes;
    }
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
  const locks = createSegmentLocks(states);
  const during = (page: number, work: () => void) => {
    let state = locks.take(firstPage + page);
    try {
      if (state === STATE.missing && read !== undefined) readBits(shape, page, read, bytesOf(page));
      state = STATE.there;
      work();
    } finally {
      locks.release(firstPage + page, state);
    }
  };
  return {
    during,
    settle(page) {
      if (!locks.isThere(firstPage + page)) during(page, () => {});
    },
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
  into.fill(0, wordsEnd / 8);
}

/** What is xored with a position: bits 3 to 5 are the number of its byte in a word of 64 bits. */
export function flipOf({ order }: FlatShape): number {
  return order === 'be64' ? 56 : 0;
}
