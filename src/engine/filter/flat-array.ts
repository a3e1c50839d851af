import { POSITION_RULES } from '../../filters/position-rules.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Digests } from '../input/digests.ts';
import { ALL_KEYS, openFlatMemory } from './flat-memory.ts';
import { createFlatPages, type ReadPage, readBits } from './flat-pages.ts';
import { BATCH, type FlatPayload, flatScratch, PAGE_BYTES, pagesOf } from './flat-payload.ts';
import type { Place } from './segment-memories.ts';

/**
 * A thread's access to an array of m bits in which the k positions of a key are anywhere.
 *
 * Invariants: bits are only ever set, so that whoever finds a one may rely on it, whatever others do meanwhile; a page that
 * is there is never read again; bits past the last one are zeros.
 */
export interface FlatArray {
  /**
   * Adds digests, which lie in the thread's own kernel, while other threads may do so too; returns the number of those
   * that set a bit. A digest that two threads add at the same time may be one of them for both.
   */
  add(digests: Digests): number;
  /** Tests them: a byte each, 1 for maybe present, at `hits`, in the thread's own kernel; returns the number of ones. */
  test(digests: Digests, hits: number): number;
  /** Number of ones in the pages from one to before another: all of them, or this thread's share. */
  ones(from?: number, to?: number): number;
  /** ORs the same pages of an array of the same shape into these, while no thread adds to them. */
  orFrom(read: ReadPage, from?: number, to?: number): void;
  /** Where a page is, once it is there. */
  find(page: number): Place;
}

/**
 * The array of a payload, as one of its threads sees it; threads are counted from 0. `read` is called once for each page
 * that is needed, by whichever thread needs it first; without it all pages begin as zeros.
 */
export function createFlatArray(payload: FlatPayload, own: Kernel, threadIndex: number, read?: ReadPage): FlatArray {
  const { shape, piecesEach, scratches } = payload;
  const pageCount = pagesOf(shape);
  const pages = createFlatPages(payload, (page) => bytesAt(place(page)), read);
  const memories = payload.memories.map((_, i) => openFlatMemory(payload, i, threadIndex, read && pages.settle));
  const place = (page: number) => {
    const memory = memories[Math.floor(page / piecesEach)];
    if (memory === undefined) throw new Error(`there is no page ${page}`);
    return memory.find(page % piecesEach);
  };
  const settled = (page: number) => {
    pages.settle(page);
    return place(page);
  };
  const room = flatScratch(shape, scratches[threadIndex] ?? 0).positions;
  const batches = (digests: Digests) => batchesOf(own, digests, 8 * POSITION_RULES[shape.rule].words);
  return {
    add(digests) {
      let added = 0;
      for (const { bytes, count } of batches(digests)) {
        const changes = new Uint8Array(count);
        for (const memory of memories) memory.add(bytes, changes);
        added += changes.reduce((sum, change) => sum + change, 0);
      }
      return added;
    },
    test(digests, hits) {
      let found = 0;
      for (const { bytes, first, count } of batches(digests)) {
        let keys: Uint32Array = ALL_KEYS.subarray(0, count);
        for (const memory of memories) keys = memory.test(bytes, keys);
        const answers = own.bytes(hits + first, count).fill(0);
        // Not by an iterator, which takes six times as long.
        for (let i = 0; i < keys.length; i++) answers[keys[i] ?? 0] = 1;
        found += keys.length;
      }
      return found;
    },
    ones(from = 0, to = pageCount) {
      let sum = 0;
      for (let page = from; page < to; page++) {
        const { kernel, address } = settled(page);
        sum += Number(kernel.exports.popcount(address, PAGE_BYTES));
      }
      return sum;
    },
    orFrom(readOther, from = 0, to = pageCount) {
      for (let page = from; page < to; page++) {
        const { kernel, address } = place(page);
        readBits(shape, page, readOther, kernel.bytes(room, PAGE_BYTES));
        pages.during(page, () => kernel.exports.orInto(address, room, PAGE_BYTES));
      }
    },
    find: settled,
  };
}

/** Digests of so many bytes each, as many at a time as memories take. */
function* batchesOf(kernel: Kernel, { address, count }: Digests, bytesEach: number) {
  for (let first = 0; first < count; first += BATCH) {
    const some = Math.min(BATCH, count - first);
    yield { bytes: kernel.bytes(address + first * bytesEach, some * bytesEach), first, count: some };
  }
}

function bytesAt({ kernel, address }: Place): Uint8Array {
  return kernel.bytes(address, PAGE_BYTES);
}
