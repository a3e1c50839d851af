// The next filter reuses the memory of a closed one, and begins empty.

import { expect, test } from 'vitest';
import {
  createPagedMemory,
  kernelsOf,
  type PagedMemory,
  placeIn,
  recycle,
  resized,
} from '../../../src/engine/store/paged-memory.ts';

const PIECE = 4096;

const memoryOf = (pieces: number) =>
  createPagedMemory({ pieces, pieceBytes: PIECE, threadCount: 2, scratchBytes: 1000, areZeros: true });

function bytesOf(memory: PagedMemory, piece: number): Uint8Array {
  const { kernel, address } = placeIn(memory, kernelsOf(memory), piece);
  return kernel.bytes(address, PIECE);
}

test.each([
  [3, 3],
  [200, 2],
  [2, 40_000],
])('%i pieces of ones, and then %i of zeros', (before, after) => {
  const first = memoryOf(before);
  for (let piece = 0; piece < before; piece++) bytesOf(first, piece).fill(0xff);
  recycle(first);
  recycle(first);
  const second = memoryOf(after);
  expect(second.memories).toEqual(first.memories);
  for (let piece = 0; piece < Math.min(after, 500); piece++)
    expect(bytesOf(second, piece).every((byte) => byte === 0)).toBe(true);
  // A memory that was given back twice is reused only once.
  expect(memoryOf(1).memories[0]).not.toBe(second.memories[0]);
});

test('a memory that has grown is not reused, because its used part is unknown', () => {
  const first = memoryOf(1);
  const grown = resized(first, { pieces: 100, pieceBytes: PIECE, threadCount: 2, scratchBytes: 1000, areZeros: true });
  expect(grown.memories).toEqual(first.memories);
  for (let piece = 0; piece < 100; piece++) bytesOf(grown, piece).fill(0xff);
  recycle(grown);
  const next = memoryOf(100);
  for (let piece = 0; piece < 100; piece++) expect(bytesOf(next, piece).every((byte) => byte === 0)).toBe(true);
});
