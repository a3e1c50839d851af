// XXH3 with 64 bits. It follows the specification ("xxHash fast digest algorithm", version 0.2.0, section XXH3) step by
// step. It uses big integers, so that it repeats no trick of the kernel.

import { wrap } from './xxh64.ts';

const PRIME32_1 = 0x9e3779b1n;
export const PRIME32_2 = 0x85ebca77n;
const PRIME32_3 = 0xc2b2ae3dn;
export const PRIME64_1 = 0x9e3779b185ebca87n;
export const PRIME64_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME64_3 = 0x165667b19e3779f9n;
export const PRIME64_4 = 0x85ebca77c2b2ae63n;
const PRIME64_5 = 0x27d4eb2f165667c5n;
const PRIME_MX1 = 0x165667919e3779f9n;
const PRIME_MX2 = 0x9fb21c651e98df25n;

/** The primes by number, for the other variants of XXH3. */
export const PRIME32 = [0n, PRIME32_1, PRIME32_2, PRIME32_3] as const;
export const PRIME64 = [0n, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME64_5] as const;

export const DEFAULT_SECRET = Uint8Array.from(
  Buffer.from(
    'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221' +
      'b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8' +
      'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb' +
      '170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e',
    'hex',
  ),
);

const STRIPE = 64;
const BLOCK = 1024;

/** Reads `count` little-endian 64-bit words from an offset. */
export function words(bytes: Uint8Array, offset: number, count: number): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, i) => view.getBigUint64(offset + 8 * i, true));
}

export function word(bytes: Uint8Array, offset: number): bigint {
  return words(bytes, offset, 1)[0] ?? 0n;
}

export function word32(bytes: Uint8Array, offset: number): bigint {
  return BigInt(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(offset, true));
}

function rotate(value: bigint, by: bigint): bigint {
  return wrap(value << by) | (value >> (64n - by));
}

/** The value with its bytes in reverse order. */
export function swapped(value: bigint, bytes: number): bigint {
  return BigInt(
    `0x${Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex')
      .reverse()
      .toString('hex')}`,
  );
}

/** The lower half of a product of 128 bits xor the higher one. */
export function foldedProduct(a: bigint, b: bigint): bigint {
  return wrap(a * b) ^ ((a * b) >> 64n);
}

export function avalanche(x: bigint): bigint {
  const y = wrap((x ^ (x >> 37n)) * PRIME_MX1);
  return y ^ (y >> 32n);
}

function avalancheXxh64(x: bigint): bigint {
  const y = wrap((x ^ (x >> 33n)) * PRIME64_2);
  const z = wrap((y ^ (y >> 29n)) * PRIME64_3);
  return z ^ (z >> 32n);
}

function empty(seed: bigint): bigint {
  return avalancheXxh64(seed ^ word(DEFAULT_SECRET, 56) ^ word(DEFAULT_SECRET, 64));
}

function upTo3(input: Uint8Array, seed: bigint): bigint {
  const { length } = input;
  const parts = [input[length - 1], length, input[0], input[length >> 1]];
  const combined = parts.reduce((sum, part, i) => sum | (BigInt(part ?? 0) << BigInt(8 * i)), 0n);
  return avalancheXxh64(wrap((word32(DEFAULT_SECRET, 0) ^ word32(DEFAULT_SECRET, 4)) + seed) ^ combined);
}

function upTo8(input: Uint8Array, seed: bigint): bigint {
  const combined = word32(input, input.length - 4) | (word32(input, 0) << 32n);
  const modifiedSeed = seed ^ (swapped(seed & 0xffffffffn, 4) << 32n);
  let value = wrap((word(DEFAULT_SECRET, 8) ^ word(DEFAULT_SECRET, 16)) - modifiedSeed) ^ combined;
  value = wrap((value ^ rotate(value, 49n) ^ rotate(value, 24n)) * PRIME_MX2);
  value = wrap((value ^ ((value >> 35n) + BigInt(input.length))) * PRIME_MX2);
  return value ^ (value >> 28n);
}

function upTo16(input: Uint8Array, seed: bigint): bigint {
  const secret = words(DEFAULT_SECRET, 24, 4);
  const low = wrap(((secret[0] ?? 0n) ^ (secret[1] ?? 0n)) + seed) ^ word(input, 0);
  const high = wrap(((secret[2] ?? 0n) ^ (secret[3] ?? 0n)) - seed) ^ word(input, input.length - 8);
  return avalanche(wrap(BigInt(input.length) + swapped(low, 8) + high + foldedProduct(low, high)));
}

/** Mixes the 16 bytes of the input at `at` with those of the secret at `offset`. */
export function mixStep(input: Uint8Array, at: number, offset: number, seed: bigint): bigint {
  const first = word(input, at) ^ wrap(word(DEFAULT_SECRET, offset) + seed);
  const second = word(input, at + 8) ^ wrap(word(DEFAULT_SECRET, offset + 8) - seed);
  return foldedProduct(first, second);
}

function upTo128(input: Uint8Array, seed: bigint): bigint {
  let sum = BigInt(input.length) * PRIME64_1;
  for (let i = (input.length - 1) >> 5; i >= 0; i--) {
    sum += mixStep(input, 16 * i, 32 * i, seed);
    sum += mixStep(input, input.length - 16 * i - 16, 32 * i + 16, seed);
  }
  return avalanche(wrap(sum));
}

function upTo240(input: Uint8Array, seed: bigint): bigint {
  let sum = BigInt(input.length) * PRIME64_1;
  for (let i = 0; i < 8; i++) sum += mixStep(input, 16 * i, 16 * i, seed);
  sum = avalanche(wrap(sum));
  for (let i = 8; i < input.length >> 4; i++) sum += mixStep(input, 16 * i, 16 * (i - 8) + 3, seed);
  return avalanche(wrap(sum + mixStep(input, input.length - 16, 119, seed)));
}

/** The secret of a seed, which is added to and subtracted from alternate words. */
function derivedSecret(seed: bigint): Uint8Array {
  const secret = words(DEFAULT_SECRET, 0, 24).map((value, i) => wrap(i % 2 === 0 ? value + seed : value - seed));
  return new Uint8Array(BigUint64Array.from(secret).buffer);
}

/** The accumulators after one more stripe. */
function accumulated(sums: readonly bigint[], stripe: readonly bigint[], secret: readonly bigint[]): bigint[] {
  return sums.map((sum, i) => {
    const value = (stripe[i] ?? 0n) ^ (secret[i] ?? 0n);
    return wrap(sum + (stripe[i ^ 1] ?? 0n) + (value & 0xffffffffn) * (value >> 32n));
  });
}

function scrambled(sums: readonly bigint[], secret: readonly bigint[]): bigint[] {
  return sums.map((sum, i) => wrap((sum ^ (sum >> 47n) ^ (secret[i] ?? 0n)) * PRIME32_1));
}

/** The accumulators of more than 240 bytes. */
export function longSums(input: Uint8Array, secret: Uint8Array): bigint[] {
  const { length } = input;
  let sums = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1];
  // The last block, full or partial, leaves its last stripe for the end and is not scrambled.
  for (let block = 0; block < length; block += BLOCK) {
    const isLast = length - block <= BLOCK;
    const stripes = isLast ? Math.floor((length - block - 1) / STRIPE) : BLOCK / STRIPE;
    for (let n = 0; n < stripes; n++)
      sums = accumulated(sums, words(input, block + STRIPE * n, 8), words(secret, 8 * n, 8));
    if (!isLast) sums = scrambled(sums, words(secret, secret.length - STRIPE, 8));
  }
  return accumulated(sums, words(input, length - STRIPE, 8), words(secret, secret.length - 71, 8));
}

/** Merges the accumulators into a number, with the secret from an offset on. */
export function mergedSums(sums: readonly bigint[], secret: Uint8Array, offset: number, start: bigint): bigint {
  const merged = sums.map((sum, i) => sum ^ word(secret, offset + 8 * i));
  let result = start;
  for (let i = 0; i < 8; i += 2) result += foldedProduct(merged[i] ?? 0n, merged[i + 1] ?? 0n);
  return avalanche(wrap(result));
}

function longer(input: Uint8Array, seed: bigint): bigint {
  const secret = derivedSecret(seed);
  return mergedSums(longSums(input, secret), secret, 11, BigInt(input.length) * PRIME64_1);
}

export function xxh3(bytes: Uint8Array, seed: bigint): bigint {
  if (bytes.length === 0) return empty(seed);
  if (bytes.length <= 3) return upTo3(bytes, seed);
  if (bytes.length <= 8) return upTo8(bytes, seed);
  if (bytes.length <= 16) return upTo16(bytes, seed);
  if (bytes.length <= 128) return upTo128(bytes, seed);
  if (bytes.length <= 240) return upTo240(bytes, seed);
  return longer(bytes, seed);
}
