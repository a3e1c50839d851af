import type { BlockSums } from '../../filters/split-blocks.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { BLOCK_BITS } from '../../sizing/blocked.ts';
import type { Digests } from '../input/digests.ts';
import { ALL_KEYS, openBitArrayMemory } from './bit-array-memory.ts';
import { createBitArrayPages, type ReadPage, readBits } from './bit-array-pages.ts';
import {
  BATCH,
  type BitArrayPayload,
  bitArrayScratch,
  digestBytes,
  PAGE_BITS,
  PAGE_BYTES,
  pagesOf,
} from './bit-array-payload.ts';
import { kernelsOf, type Place, placeIn } from './paged-memory.ts';

/**
 * A thread's access to an array of m bits in which the k positions of a key are anywhere.
 *
 * Invariants:
 * - Bits are only ever set, so a thread that reads a one may rely on it while other threads work.
 * - A page that is present is never read again.
 * - Bits past the last bit of the array are zeros.
 */
export interface BitArray {
  /**
   * Adds digests from the thread's own kernel while other threads may add too. Returns the number of digests that set a counted bit. If two
   * threads add the same digest at the same time, both may count it.
   */
  add(digests: Digests): number;
  /** Adds the digests of a batch, at most `BATCH`, from any buffer. Returns the same number. */
  addBatch(digests: Uint8Array, count: number): number;
  /** Tests digests. Writes one byte per digest at `hits` in the thread's own kernel, 1 for maybe present. Returns the number of ones. */
  test(digests: Digests, hits: number): number;
  /** The keys among `keys` that may be present. Keys are indices of digests. */
  keep(digests: Uint8Array, keys: Uint32Array): Uint32Array;
  /** The number of ones in the pages [from, to): all pages, or this thread's share. */
  ones(from?: number, to?: number): number;
  /** The number of ones in each group of `bits` bits, over the whole array or over the given range. Groups are whole bytes. */
  fills(bits: number, first?: number, length?: number): Uint32Array;
  /** The number of ones, and the sum over all blocks of the products of the ones in their words. */
  blockSums(): BlockSums;
  /** The number of bytes that are not 0. */
  usedSlots(): number;
  /** ORs the same pages of an array of the same shape into this array, while no thread adds to these pages. */
  orFrom(read: ReadPage, from?: number, to?: number): void;
  /** The position of a page; loads the page if it is missing. */
  find(page: number): Place;
}

/**
 * The array of a payload, as one thread sees it; threads are counted from 0. `read` is called once for each page that is needed, by the
 * first thread that needs the page. Without `read`, all pages begin as zeros. Arrays that share memories may share kernels too.
 */
export function createBitArray(
  payload: BitArrayPayload,
  own: Kernel,
  threadIndex: number,
  read?: ReadPage,
  kernels: readonly Kernel[] = kernelsOf(payload),
): BitArray {
  const { shape, firstPage, scratches } = payload;
  const pageCount = pagesOf(shape);
  const pages = createBitArrayPages(payload, (page) => bytesAt(place(page)), read);
  const memories = kernels.flatMap(
    (kernel, i) => openBitArrayMemory(payload, kernel, i, threadIndex, read && pages) ?? [],
  );
  const place = (page: number) => placeIn(payload, kernels, firstPage + page);
  const present = (page: number) => {
    pages.ensure(page);
    return place(page);
  };
  const scratch = bitArrayScratch(shape, scratches[threadIndex] ?? 0).positions;
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
    ...countsOf(shape, present, scratch),
    orFrom(readOther, from = 0, to = pageCount) {
      for (let page = from; page < to; page++) {
        const { kernel, address } = place(page);
        readBits(shape, page, readOther, kernel.bytes(scratch, PAGE_BYTES));
        pages.during(page, () => kernel.exports.orInto(address, scratch, PAGE_BYTES));
      }
    },
    find: present,
  };
}

/** Counts over the pages of an array; `present` loads a missing page. `scratch` is the address of free space in each memory. */
function countsOf(
  shape: BitArrayPayload['shape'],
  present: (page: number) => Place,
  scratch: number,
): Pick<BitArray, 'ones' | 'fills' | 'usedSlots' | 'blockSums'> {
  const pageCount = pagesOf(shape);
  const onesIn = (from: number, bytes: number) => {
    let sum = 0;
    for (let at = from, end = from + bytes; at < end; ) {
      const { kernel, address } = present(Math.floor(at / PAGE_BYTES));
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
        const { kernel, address } = present(page);
        sum += Number(kernel.exports.popcount(address, PAGE_BYTES));
      }
      return sum;
    },
    fills: (bits, first = 0, length = shape.bits) =>
      Uint32Array.from({ length: Math.ceil(length / bits) }, (_, i) => onesIn((first + i * bits) / 8, bits / 8)),
    usedSlots() {
      let sum = 0;
      for (let page = 0; page < pageCount; page++) {
        const { kernel, address } = present(page);
        sum += kernel.exports.usedSlots(address, PAGE_BYTES);
      }
      return sum;
    },
    blockSums() {
      const sums = { ones: 0, products: 0 };
      for (let page = 0; page < pageCount; page++) {
        const { kernel, address } = present(page);
        kernel.exports.blockedSums(address, PAGE_BITS / BLOCK_BITS, scratch);
        const [ones = 0n, products = 0n] = new BigUint64Array(kernel.memory.buffer, scratch, 2);
        sums.ones += Number(ones);
        sums.products += Number(products);
      }
      return sums;
    },
  };
}

/** Writes the answer 1 for keys that may be present. */
export function mark(keys: Uint32Array, answers: Uint8Array): void {
  // An iterator takes six times as long.
  for (let i = 0; i < keys.length; i++) answers[keys[i] ?? 0] = 1;
}

/** Digests of `bytesEach` bytes each, in batches of at most `BATCH`. */
export function* batchesOf(kernel: Kernel, { address, count }: Digests, bytesEach: number) {
  for (let first = 0; first < count; first += BATCH) {
    const some = Math.min(BATCH, count - first);
    yield { bytes: kernel.bytes(address + first * bytesEach, some * bytesEach), first, count: some };
  }
}

function bytesAt({ kernel, address }: Place): Uint8Array {
  return kernel.bytes(address, PAGE_BYTES);
}
