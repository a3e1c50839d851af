// The checksums of blocks of other systems, at every length.

import { expect, test } from 'vitest';
import XXH from 'xxhashjs';
import { crcAt } from '../../src/formats/crc.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { crc32, crc32c } from '../reference/crc32.ts';
import { createRandom } from '../reference/random.ts';

const kernel = loadKernel();
const random = createRandom(4);
const material = Uint8Array.from({ length: 300 }, random);
const at = kernel.reserve(400);

/** The results of a function for bytes of every length, at varying addresses. */
function ofLengths(of: (address: number, length: number) => number): number[] {
  return Array.from({ length: 260 }, (_, length) => {
    const address = at + (length % 9);
    kernel.bytes(address, length).set(material.subarray(0, length));
    return of(address, length);
  });
}

const expected = (of: (bytes: Uint8Array) => number) =>
  Array.from({ length: 260 }, (_, length) => of(material.subarray(0, length)));

test.each([
  ['crc32', crc32, 0xcbf43926],
  ['crc32c', crc32c, 0xe3069283],
] as const)('%s', (name, oracle, check) => {
  // Check values: the catalogue of parametrised CRC algorithms, https://reveng.sourceforge.io/crc-catalogue/.
  expect(oracle(Buffer.from('123456789'))).toBe(check);
  expect(ofLengths((address, length) => crcAt(kernel, name, address, length))).toEqual(
    expected((bytes) => oracle(bytes)),
  );
});

test.each([0, 1, 0x9e3779b1])('xxh32 with seed %d', (seed) => {
  const { xxh32 } = kernel.exports;
  expect(ofLengths((address, length) => xxh32(address, length, seed) >>> 0)).toEqual(
    expected((bytes) => XXH.h32(Buffer.from(bytes), seed).toNumber()),
  );
});
