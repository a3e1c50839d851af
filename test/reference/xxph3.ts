// XXPH3, a preview of XXH3 with 64 bits that RocksDB uses, after util/xxph3.h of https://github.com/facebook/rocksdb.

import { DEFAULT_SECRET, foldedProduct, PRIME32, PRIME64, word, word32, words } from './xxh3.ts';
import { wrap } from './xxh64.ts';

const SEED_0_ACCUMULATORS = [
  PRIME32[3],
  PRIME64[1],
  PRIME64[2],
  PRIME64[3],
  PRIME64[4],
  PRIME32[2],
  PRIME64[5],
  PRIME32[1],
] as const;

const secret = (offset: number) => word(DEFAULT_SECRET, offset);

function avalanche(x: bigint): bigint {
  const y = wrap((x ^ (x >> 37n)) * PRIME64[3]);
  return y ^ (y >> 32n);
}

/** Mixes the 16 bytes of the input at `at` with those of the secret at `offset`. */
function mixStep(input: Uint8Array, at: number, offset: number): bigint {
  return foldedProduct(word(input, at) ^ secret(offset), word(input, at + 8) ^ secret(offset + 8));
}

function upTo16(input: Uint8Array): bigint {
  const n = input.length;
  if (n === 0) return foldedProduct(secret(0), PRIME64[2]);
  if (n <= 3) {
    const parts = [input[0], input[n >> 1], input[n - 1], n];
    const combined = parts.reduce((sum: bigint, part, i) => sum | (BigInt(part ?? 0) << BigInt(8 * i)), 0n);
    return avalanche(wrap((combined ^ word32(DEFAULT_SECRET, 0)) * PRIME64[1]));
  }
  if (n <= 8) {
    const k = (word32(input, 0) | (word32(input, n - 4) << 32n)) ^ secret(0);
    const mixed = wrap(BigInt(n) + wrap((k ^ (k >> 51n)) * PRIME32[1]));
    return avalanche(wrap((mixed ^ (mixed >> 47n)) * PRIME64[2]));
  }
  const [low, high] = [word(input, 0) ^ secret(0), word(input, n - 8) ^ secret(8)];
  return avalanche(wrap(BigInt(n) + low + high + foldedProduct(low, high)));
}

function upTo128(input: Uint8Array): bigint {
  const n = input.length;
  let sum = BigInt(n) * PRIME64[1];
  for (const [i, least] of [96, 64, 32, 0].entries()) {
    if (n <= least) continue;
    sum += mixStep(input, 48 - 16 * i, 96 - 32 * i) + mixStep(input, n - 64 + 16 * i, 112 - 32 * i);
  }
  return avalanche(wrap(sum));
}

function upTo240(input: Uint8Array): bigint {
  const n = input.length;
  let sum = BigInt(n) * PRIME64[1];
  for (let i = 0; i < 8; i++) sum += mixStep(input, 16 * i, 16 * i);
  sum = avalanche(wrap(sum));
  for (let i = 8; i < n >> 4; i++) sum += mixStep(input, 16 * i, 16 * (i - 8) + 3);
  return avalanche(wrap(sum + mixStep(input, n - 16, 119)));
}

/** The accumulators after one more stripe of 64 bytes. */
function accumulated(sums: readonly bigint[], input: Uint8Array, at: number, offset: number): bigint[] {
  const values = words(input, at, 8);
  return sums.map((sum, i) => {
    const value = values[i] ?? 0n;
    const key = value ^ secret(offset + 8 * i);
    return wrap(sum + value + (key & 0xffffffffn) * (key >> 32n));
  });
}

function long(input: Uint8Array): bigint {
  const n = input.length;
  let sums: bigint[] = [...SEED_0_ACCUMULATORS];
  for (let stripe = 0; stripe < n >> 6; stripe++) {
    sums = accumulated(sums, input, 64 * stripe, 8 * (stripe % 16));
    if (stripe % 16 < 15) continue;
    sums = sums.map((sum, i) => wrap((sum ^ (sum >> 47n) ^ secret(128 + 8 * i)) * PRIME32[1]));
  }
  if (n % 64 !== 0) sums = accumulated(sums, input, n - 64, 121);
  let result = BigInt(n) * PRIME64[1];
  for (let i = 0; i < 4; i++) {
    const [a = 0n, b = 0n] = sums.slice(2 * i);
    result += foldedProduct(a ^ secret(11 + 16 * i), b ^ secret(19 + 16 * i));
  }
  return avalanche(wrap(result));
}

/** XXPH3_64bits. */
export function xxph3(input: Uint8Array): bigint {
  if (input.length <= 16) return upTo16(input);
  if (input.length <= 128) return upTo128(input);
  return input.length <= 240 ? upTo240(input) : long(input);
}
