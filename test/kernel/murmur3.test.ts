import { expect, test } from 'vitest';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { murmur3, murmur3Halves } from '../reference/murmur3.ts';
import { singleDigests } from './hashing.ts';

const kernel = loadKernel();
const at = kernel.reserve(4096);
const digestAt = singleDigests(kernel);

function hashed(bytes: Uint8Array, seed: bigint): bigint {
  kernel.bytes(at, bytes.length).set(bytes);
  return digestAt('murmur3', at, bytes.length, seed);
}

const HELLO = 'hello';
const FOX = 'The quick brown fox jumps over the lazy dog';

test.each([
  // spaolacci/murmur3, murmur_test.go.
  ['', 0n, 0n],
  ['', 1n, 0x4610abe56eff5cb5n],
  ['', 42n, 0xf02aa77dfa1b8523n],
  [HELLO, 0n, 0xcbd8a7b341bd9b02n],
  [HELLO, 1n, 0xa78ddff5adae8d10n],
  [HELLO, 42n, 0xc4b8b3c960af6f08n],
  ['hello, world', 0n, 0x342fac623a5ebc8en],
  ['19 Jan 2038 at 3:14:07 AM', 1n, 0x2a929de9c8f97b2fn],
  [`${FOX}.`, 0n, 0xcd99481f9ee902c9n],
  [`${FOX}.`, 42n, 0x74f33c659cda5af7n],
  // Elasticsearch, Murmur3HasherTests.java.
  [FOX, 0n, 0xe34bbc7bbc071b6cn],
])('of %j with seed %d is the published one, in the kernel and in the oracle', (text, seed, hash) => {
  const bytes = new Uint8Array(Buffer.from(text));
  const [h1] = murmur3Halves(bytes, seed);
  expect([h1, hashed(bytes, seed)]).toEqual([hash, murmur3(bytes, seed)]);
});

test('has the verification value of SMHasher', () => {
  // KeysetTest.cpp: key i has the i bytes 0, 1, 2, ... and the seed 256 - i. The result is the hash of all hashes.
  const results = Array.from({ length: 256 }, (_, i) => {
    const key = Uint8Array.from({ length: i }, (_, byte) => byte);
    const [h1, h2] = murmur3Halves(key, BigInt(256 - i));
    expect(hashed(key, BigInt(256 - i))).toBe(murmur3(key, BigInt(256 - i)));
    return [h1, h2];
  });
  const bytes = new Uint8Array(BigUint64Array.from(results.flat()).buffer);
  expect(murmur3Halves(bytes, 0n)[0] & 0xffffffffn).toBe(0x6384ba69n);
  expect(hashed(bytes, 0n)).toBe(murmur3(bytes, 0n));
});
