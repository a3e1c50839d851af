import type { BlockSums } from '../../filters/split-blocks.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { BLOCK_BITS } from '../../sizing/blocked.ts';
import type { Digests } from '../input/digests.ts';
import { ALL_KEYS, openFlatMemory } from './flat-memory.ts';
import { createFlatPages, type ReadPage, readBits } from './flat-pages.ts';
import { BATCH, digestBytes, type FlatPayload, flatScratch, PAGE_BITS, PAGE_BYTES, pagesOf } from './flat-payload.ts';
import { kernelsOf, type Place, placeIn } from './paged-memory.ts';

/**
 * A thread's access to an array of m bits in which the k positions of a key are anywhere.
 *
 * Invariants: bits are only ever set, so that whoever finds a one may rely on it, whatever others do meanwhile; a page that
 * is there is never read again; bits past the last one are zeros.
 */
export interface FlatArray {
  /**
   * Adds digests, which lie in the thread's own kernel, while other threads may do so too; returns the number of those
   * that set a bit that is counted. A digest that two threads add at the same time may be one of them for both.
   */
  add(digests: Digests): number;
  /** Adds the digests of a batch, of no more than `BATCH`, which lie anywhere. */
  addBatch(digests: Uint8Array, count: number): number;
  /** Tests them: a byte each, 1 for maybe present, at `hits`, in the thread's own kernel; returns the number of ones. */
  test(digests: Digests, hits: number): number;
  /** Of these keys, which are indices of digests, those that may be present. */
  keep(digests: Uint8Array, keys: Uint32Array): Uint32Array;
  /** Number of ones in the pages from one to before another: all of them, or this thread's share. */
  ones(from?: number, to?: number): number;
  /** Number of ones in each so many bits of it, or of some of its bits, in whole bytes. */
  fills(bits: number, first?: number, length?: number): Uint32Array;
  /** The ones of it, and the sum over its blocks of the products of the ones in their words. */
  blockSums(): BlockSums;
  /** Its bytes that are not 0. */
  taken(): number;
  /** ORs the same pages of an array of the same shape into these, while no thread adds to them. */
  orFrom(read: ReadPage, from?: number, to?: number): void;
  /** Where a page is, once it is there. */
  find(page: number): Place;
}

/**
 * The array of a payload, as one of its threads sees it; threads are counted from 0. `read` is called once for each page
 * that is needed, by whichever thread needs it first; without it all pages begin as zeros. Arrays that share memories may
 * share the kernels of these.
 */
export function createFlatArray(
  payload: FlatPayload,
  own: Kernel,
  threadIndex: number,
  read?: ReadPage,
  kernels: readonly Kernel[] = kernelsOf(payload),
): FlatArray {
  const { shape, firstPage, scratches } = payload;
  const pageCount = pagesOf(shape);
  const pages = createFlatPages(payload, (page) => bytesAt(place(page)), read);
  const memories = kernels.flatMap(
    (kernel, i) => openFlatMemory(payload, kernel, i, threadIndex, read && pages.settle) ?? [],
  );
  const place = (page: number) => placeIn(payload, kernels, firstPage + page);
  const settled = (page: number) => {
    pages.settle(page);
    return place(page);
  };
  const room = flatScratch(shape, scratches[threadIndex] ?? 0).positions;
  const keep = (digests: Uint8Array, keys: Uint32Array) =>
    memories.reduce((left, memory) => memory.test(digests, left), keys);
  const addBatch = (digests: Uint8Array, count: number) => {
    const changes = new Uint8Array(count);
    for (const memory of memories) memory.add(digests, changes);
    return changes.reduce((sum, change) => sum + change, 0);
  };
  return {
    add(digests) {
      let added = 0;
      for (const { bytes, count } of batchesOf(own, digests, digestBytes(payload))) added += addBatch(bytes, count);
      return added;
    },
    addBatch,
    test(digests, hits) {
      let found = 0;
      for (const { bytes, first, count } of batchesOf(own, digests, digestBytes(payload))) {
        const keys = keep(bytes, ALL_KEYS.subarray(0, count));
        mark(keys, own.bytes(hits + first, count).fill(0));
        found += keys.length;
      }
      return found;
    },
    keep,
    ...countsOf(shape, settled, room),
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

/** What is counted in the pages of an array, which are there once they were asked for; `room` is an address in each of its memories. */
function countsOf(
  shape: FlatPayload['shape'],
  settled: (page: number) => Place,
  room: number,
): Pick<FlatArray, 'ones' | 'fills' | 'taken' | 'blockSums'> {
  const pageCount = pagesOf(shape);
  const onesIn = (from: number, bytes: number) => {
    let sum = 0;
    for (let at = from, end = from + bytes; at < end; ) {
      const { kernel, address } = settled(Math.floor(at / PAGE_BYTES));
      const here = Math.min(end - at, PAGE_BYTES - (at % PAGE_BYTES));
      sum += Number(kernel.exports.popcount(address + (at % PAGE_BYTES), here));
      at += here;
    }
    return sum;
  };
  return {
    ones(from = 0, to = pageCount) {
      let sum = 0;
      for (let page = from; page < to; page++) {
        const { kernel, address } = settled(page);
        sum += Number(kernel.exports.popcount(address, PAGE_BYTES));
      }
      return sum;
    },
    fills: (bits, first = 0, length = shape.bits) =>
      Uint32Array.from({ length: Math.ceil(length / bits) }, (_, i) => onesIn((first + i * bits) / 8, bits / 8)),
    taken() {
      let sum = 0;
      for (let page = 0; page < pageCount; page++) {
        const { kernel, address } = settled(page);
        sum += kernel.exports.takenSlots(address, PAGE_BYTES);
      }
      return sum;
    },
    blockSums() {
      const sums = { ones: 0, products: 0 };
      for (let page = 0; page < pageCount; page++) {
        const { kernel, address } = settled(page);
        kernel.exports.blockedSums(address, PAGE_BITS / BLOCK_BITS, room);
        const [ones = 0n, products = 0n] = new BigUint64Array(kernel.memory.buffer, room, 2);
        sums.ones += Number(ones);
        sums.products += Number(products);
      }
      return sums;
    },
  };
}

/** Notes the answer for keys that may be present. */
export function mark(keys: Uint32Array, answers: Uint8Array): void {
  // Not by an iterator, which takes six times as long.
  for (let i = 0; i < keys.length; i++) answers[keys[i] ?? 0] = 1;
}

/** Digests of so many bytes each, as many at a time as memories take. */
export function* batchesOf(kernel: Kernel, { address, count }: Digests, bytesEach: number) {
  for (let first = 0; first < count; first += BATCH) {
    const some = Math.min(BATCH, count - first);
    yield { bytes: kernel.bytes(address + first * bytesEach, some * bytesEach), first, count: some };
  }
}

function bytesAt({ kernel, address }: Place): Uint8Array {
  return kernel.bytes(address, PAGE_BYTES);
}
