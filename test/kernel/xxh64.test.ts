import { expect, test } from 'vitest';
import XXH from 'xxhashjs';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { createRandom } from '../reference/random.ts';
import { xxh64 } from '../reference/xxh64.ts';

const LENGTHS = Array.from({ length: 201 }, (_, length) => length);
const kernel = loadKernel();
const at = kernel.reserve(1024);
const random = createRandom(64);
const material = Uint8Array.from({ length: 256 }, random);

function hashed(bytes: Uint8Array, seed: bigint, offset = 0): bigint {
  kernel.bytes(at, 1024).fill(0xff);
  kernel.bytes(at + offset, bytes.length).set(bytes);
  return BigInt.asUintN(64, kernel.exports.xxh64(at + offset, bytes.length, seed));
}

test.each([0, 1, 42, 0x9e3779b1, 2 ** 32 - 1])('is that of xxhashjs for all lengths to 200, seed %d', (seed) => {
  for (const length of LENGTHS) {
    const bytes = material.subarray(0, length);
    const other = BigInt(`0x${XXH.h64(Buffer.from(bytes), seed).toString(16)}`);
    expect(hashed(bytes, BigInt(seed)), `${length} bytes`).toBe(other);
  }
});

test.each([2n ** 63n, 2n ** 64n - 1n, 0x123456789abcdef0n])('is that of the specification for seed %d', (seed) => {
  for (const length of LENGTHS) {
    expect(hashed(material.subarray(0, length), seed), `${length} bytes`).toBe(
      xxh64(material.subarray(0, length), seed),
    );
  }
});

test('does not depend on the position of the bytes', () => {
  for (let offset = 0; offset < 64; offset++) {
    const bytes = material.subarray(offset, offset + 3 * offset + 5);
    expect(hashed(bytes, 7n, offset)).toBe(xxh64(bytes, 7n));
  }
});

test('is the published one', () => {
  expect(hashed(new Uint8Array(), 0n)).toBe(0xef46db3751d8e999n);
  expect(hashed(Buffer.from('a'), 0n)).toBe(0xd24ec4f1a98c6e5bn);
  expect(hashed(Buffer.from('abc'), 0n)).toBe(0x44bc2cf5ad770999n);
});
