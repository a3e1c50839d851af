import { expect, test } from 'vitest';
import { readStored, type StoredSegments } from '../../src/formats/stored-segments.ts';
import { closePositioned, openPositioned } from '../../src/io/positioned.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { placed } from './bloomery/files.ts';

const kernel = loadKernel();
const SEGMENT = 64;
const address = kernel.reserve(SEGMENT);
const BYTES = Uint8Array.from({ length: 10 + 3 * SEGMENT }, (_, i) => i * 7);
const segment = (index: number) => BYTES.subarray(10 + index * SEGMENT, 10 + (index + 1) * SEGMENT);

/** Reads a segment of a file that has three of them after its first ten bytes. */
function read(index: number, bytes: Uint8Array, checksums?: BigUint64Array): Uint8Array {
  const file = openPositioned(placed(bytes), 'filter');
  if (file === undefined) throw new Error('there is no file');
  const stored: StoredSegments = { file, begin: 10, count: 3, segmentBytes: SEGMENT, checksums };
  try {
    readStored(stored, index, kernel, address);
    return kernel.bytes(address, SEGMENT).slice();
  } finally {
    closePositioned(file);
  }
}

test('a segment is read at any offset of the first segment, with checksums and without', () => {
  const checksums = BigUint64Array.from([0, 1, 2], (_, i) => xxh64(segment(i), 0n));
  for (const index of [2, 0, 1]) {
    expect(read(index, BYTES)).toEqual(segment(index));
    expect(read(index, BYTES, checksums)).toEqual(segment(index));
  }
});

test('a segment with a wrong checksum is refused, and a segment without a checksum is accepted', () => {
  const checksums = BigUint64Array.from([0, 1, 2], (_, i) => xxh64(segment(i), 0n));
  const changed = BYTES.map((byte, i) => (i === 10 + SEGMENT ? byte ^ 1 : byte));
  expect(() => read(1, changed, checksums)).toThrow('segment 2 of 3 does not match its checksum');
  expect(read(1, changed)).not.toEqual(segment(1));
});

test('a file that ends within a segment is refused', () => {
  expect(() => read(2, BYTES.subarray(0, -1))).toThrow('it ends within segment 3 of 3');
});
