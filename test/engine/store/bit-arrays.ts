// Bit arrays and digests of two words for tests.

import { expect } from 'vitest';
import type { Digests } from '../../../src/engine/input/digests.ts';
import { type BitArray, createBitArray } from '../../../src/engine/store/bit-array.ts';
import type { ReadPage } from '../../../src/engine/store/bit-array-pages.ts';
import {
  type BitArrayPayload,
  bitArrayScratch,
  createBitArrayPayload,
  PAGE_BITS,
  PAGE_BYTES,
} from '../../../src/engine/store/bit-array-payload.ts';
import { type Kernel, loadKernel } from '../../../src/kernel/kernel.ts';
import type { BitArrayBytes, BitArrayRules, TwoWords } from '../../reference/bit-array-bits.ts';
import { createRandom, randomDigests } from '../../reference/random.ts';

export const shapeOf = (rules: BitArrayRules) => ({ ...rules, rule: 'double-hashing' }) as const;

/** The limit for memories of this many pages each. */
export function limitFor(rules: BitArrayRules, pages: number, threadCount = 1): number {
  return 65_536 + threadCount * (bitArrayScratch(shapeOf(rules), 0).end + 64) + pages * PAGE_BYTES;
}

/** An array, in memories of a number of pages each if given, and a kernel for the thread. */
export function openEmpty(rules: BitArrayRules, pagesEach?: number, read?: ReadPage) {
  const limit = pagesEach && limitFor(rules, pagesEach);
  const payload = createBitArrayPayload(shapeOf(rules), 1, limit);
  const own = loadKernel();
  return { payload, own, array: createBitArray(payload, own, 0, read) };
}

export function drawnDigests(seed: number, count: number): TwoWords[] {
  const words = randomDigests(createRandom(seed), 2 * count);
  return Array.from({ length: count }, (_, i) => [words[2 * i] ?? 0n, words[2 * i + 1] ?? 0n]);
}

/** Copies digests into a kernel. */
export function brought(kernel: Kernel, digests: readonly TwoWords[]): Digests {
  const address = kernel.reserve(16 * digests.length);
  new BigUint64Array(kernel.memory.buffer, address, 2 * digests.length).set(digests.flat());
  return { address, count: digests.length, owners: 0, firstOwner: 0 };
}

/** The answers of an array for digests. */
export function answersOf(
  { array, own }: { array: Pick<BitArray, 'test'>; own: Kernel },
  digests: readonly TwoWords[],
): boolean[] {
  const hits = own.reserve(digests.length + 1);
  const bytes = own.bytes(hits, digests.length + 1).fill(7);
  const found = array.test(brought(own, digests), hits);
  expect(bytes.at(-1)).toBe(7);
  const answers = [...bytes.subarray(0, digests.length)];
  expect(answers.filter((byte) => byte !== 0 && byte !== 1)).toEqual([]);
  expect(found).toBe(answers.filter((byte) => byte === 1).length);
  return answers.map((byte) => byte === 1);
}

/** Pages with bytes. */
export function pagesWith(bytes: BitArrayBytes): number[] {
  return [...new Set([...bytes.keys()].map((byte) => Math.floor(byte / PAGE_BYTES)))].sort((a, b) => a - b);
}

/** A page of the oracle. */
export function pageOf(bytes: BitArrayBytes, page: number): Uint8Array {
  const into = new Uint8Array(PAGE_BYTES);
  for (const [byte, value] of bytes) if (Math.floor(byte / PAGE_BYTES) === page) into[byte % PAGE_BYTES] = value;
  return into;
}

/** Compares pages with those of the oracle: all pages, unless there are too many. */
export function expectBits(array: BitArray, { shape }: BitArrayPayload, bytes: BitArrayBytes): void {
  const count = Math.ceil(shape.bits / PAGE_BITS);
  const pages = count > 64 ? pagesWith(bytes) : Array.from({ length: count }, (_, i) => i);
  for (const page of pages) {
    const { kernel, address } = array.find(page);
    expect(Buffer.compare(kernel.bytes(address, PAGE_BYTES), pageOf(bytes, page)), `page ${page}`).toBe(0);
  }
}
