import fc from 'fast-check';
import { expect, test } from 'vitest';
import XXH from 'xxhashjs';
import { sanityBytes } from './sanity-bytes.ts';
import { xxh64 } from './xxh64.ts';

const SEED = 0x9e3779b1n;

test.each([
  ['', 0n, 0xef46db3751d8e999n],
  ['a', 0n, 0xd24ec4f1a98c6e5bn],
  ['abc', 0n, 0x44bc2cf5ad770999n],
  ['the quick brown fox jumps over the lazy dog', 42n, 0xd85ac44e4da623ccn],
])('XXH64 of %j with seed %d is the published one', (text, seed, hash) => {
  expect(xxh64(new TextEncoder().encode(text), seed)).toBe(hash);
});

test.each([
  [0, 0n, 0xef46db3751d8e999n],
  [0, SEED, 0xac75fda2929b17efn],
  [1, 0n, 0xe934a84adb052768n],
  [1, SEED, 0x5014607643a9b4c3n],
  [4, 0n, 0x9136a0dca57457een],
  [14, 0n, 0x8282dcc4994e35c8n],
  [14, SEED, 0xc3bd6bf63deb6df0n],
  [32, 0n, 0x18b216492bb44b70n],
  [63, SEED, 0x6c911fadb05b6fc2n],
  [64, 0xffffffffffffffffn, 0xd48294c0c6d5d9fdn],
  [222, 0n, 0xb641ae8cb691c174n],
  [222, SEED, 0x20cb8ab7ae10c14an],
  [256, 0x123456789abcdef0n, 0xb44704b850dbaa9dn],
])('XXH64 of %d sanity bytes with seed %d is that of the reference implementation', (length, seed, hash) => {
  expect(xxh64(sanityBytes(length), seed)).toBe(hash);
});

test('agrees with xxhashjs on any bytes and on any seed of 32 bits', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (bytes, seed) => {
      const other = XXH.h64(Buffer.from(bytes), seed).toString(16);
      expect(xxh64(bytes, BigInt(seed))).toBe(BigInt(`0x${other}`));
    }),
    { seed: 1 },
  );
});
