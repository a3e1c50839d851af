// Checksums in the memory of a kernel after some memory was released.

import { expect, test } from 'vitest';
import { checksumOf, portableChecksum } from '../../src/formats/checksum.ts';
import { crcAt } from '../../src/formats/crc.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';

const BYTES = Buffer.from('some bytes');

/** CRC-32 of the bytes, by Python's zlib. */
const CRC32 = 0x9f597f55;

test('a checksum after a release leaves the bytes that others have reserved', async () => {
  const kernel = loadKernel();
  const begin = kernel.reserve(0);
  expect(checksumOf(kernel, BYTES)).toBe(await portableChecksum(BYTES));
  kernel.release(begin);
  const others = kernel.bytes(kernel.reserve(4096), 4096);
  expect(checksumOf(kernel, BYTES)).toBe(await portableChecksum(BYTES));
  expect(others.every((byte) => byte === 0)).toBe(true);
});

test('a CRC after a release does not use tables that others have overwritten', () => {
  const kernel = loadKernel();
  const address = kernel.reserve(BYTES.length);
  kernel.bytes(address, BYTES.length).set(BYTES);
  const begin = kernel.reserve(0);
  const crc = () => crcAt(kernel, 'crc32', address, BYTES.length);
  expect(crc()).toBe(CRC32);
  kernel.release(begin);
  kernel.bytes(kernel.reserve(65_536), 65_536).fill(1);
  expect(crc()).toBe(CRC32);
});
