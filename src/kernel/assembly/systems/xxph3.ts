// The hash of the keys of RocksDB's filters: XXH3 with 64 bits and seed 0, as in xxHash 0.7.2, before its final
// version. After util/xxph3.h there.

import { RANGED_DIGEST } from "./key-ranges";
import { load1, load4 } from "../hashes/loads";
import { foldedProduct } from "../hashes/product";
import { lengthOf, spanAt, startOf } from "../spans";
import {
  PRIME32_1, PRIME32_2, PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME64_5, scramble, SECRET, secretWord,
} from "../hashes/xxh3";

/** A block of the longest keys has 16 stripes. The secret advances by 8 bytes per stripe. */
const STRIPE: usize = 64;
const STRIPES: usize = 16;

@inline
function avalanche(x: u64): u64 {
  x = (x ^ (x >> 37)) * PRIME64_3;
  return x ^ (x >> 32);
}

@inline
function hash1To3(key: usize, length: usize): u64 {
  const combined =
    load1(key) | (load1(key + (length >> 1)) << 8) | (load1(key + length - 1) << 16) | ((length as u64) << 24);
  return avalanche((combined ^ (secretWord(0) & 0xffffffff)) * PRIME64_1);
}

@inline
function hash4To8(key: usize, length: usize): u64 {
  const word = (load4(key) | (load4(key + length - 4) << 32)) ^ secretWord(0);
  const mixed = (length as u64) + (word ^ (word >> 51)) * PRIME32_1;
  return avalanche((mixed ^ (mixed >> 47)) * PRIME64_2);
}

@inline
function hash9To16(key: usize, length: usize): u64 {
  const low = load<u64>(key) ^ secretWord(0);
  const high = load<u64>(key + length - 8) ^ secretWord(8);
  return avalanche((length as u64) + low + high + foldedProduct(low, high));
}

@inline
function mix(at: usize, offset: usize): u64 {
  return foldedProduct(load<u64>(at) ^ secretWord(offset), load<u64>(at + 8) ^ secretWord(offset + 8));
}

@inline
function hash17To128(key: usize, length: usize): u64 {
  let sum = (length as u64) * PRIME64_1;
  sum += mix(key, 0);
  sum += mix(key + length - 16, 16);
  for (let i: usize = 16; i << 1 < length; i += 16) {
    sum += mix(key + i, 2 * i);
    sum += mix(key + length - i - 16, 2 * i + 16);
  }
  return avalanche(sum);
}

function hash129To240(key: usize, length: usize): u64 {
  let sum = (length as u64) * PRIME64_1;
  for (let i: usize = 0; i < 128; i += 16) sum += mix(key + i, i);
  sum = avalanche(sum);
  const chunks = length & ~15;
  for (let i: usize = 128; i < chunks; i += 16) sum += mix(key + i, i - 128 + 3);
  return avalanche(sum + mix(key + length - 16, 136 - 17));
}

/** Each of two accumulators adds its own words. In the final version neighbours add each other's words. */
@inline
function accumulate(sums: v128, at: usize, offset: usize): v128 {
  const words = v128.load(at);
  const value = v128.xor(words, v128.load(SECRET + offset));
  const low = v128.shuffle<i32>(value, value, 0, 2, 0, 2);
  const high = v128.shuffle<i32>(value, value, 1, 3, 1, 3);
  return i64x2.add(sums, i64x2.add(words, i64x2.extmul_low_i32x4_u(low, high)));
}

@inline
function merge(sums: v128, offset: usize): u64 {
  const value = v128.xor(sums, v128.load(SECRET + offset));
  return foldedProduct(i64x2.extract_lane(value, 0), i64x2.extract_lane(value, 1));
}

function hashLong(key: usize, length: usize): u64 {
  let a = i64x2.replace_lane(i64x2.splat(PRIME32_3), 1, PRIME64_1);
  let b = i64x2.replace_lane(i64x2.splat(PRIME64_2), 1, PRIME64_3);
  let c = i64x2.replace_lane(i64x2.splat(PRIME64_4), 1, PRIME32_2);
  let d = i64x2.replace_lane(i64x2.splat(PRIME64_5), 1, PRIME32_1);
  // The last stripe overlaps the stripe before, unless the key ends with a whole stripe.
  const stripes = length / STRIPE;
  for (let n: usize = 0; n <= stripes; n++) {
    const isLast = n == stripes;
    if (isLast && length % STRIPE == 0) break;
    const at = isLast ? key + length - STRIPE : key + STRIPE * n;
    const offset: usize = isLast ? 121 : (n % STRIPES) << 3;
    a = accumulate(a, at, offset);
    b = accumulate(b, at + 16, offset + 16);
    c = accumulate(c, at + 32, offset + 32);
    d = accumulate(d, at + 48, offset + 48);
    if (isLast || n % STRIPES != STRIPES - 1) continue;
    a = scramble(a, v128.load(SECRET + 128));
    b = scramble(b, v128.load(SECRET + 144));
    c = scramble(c, v128.load(SECRET + 160));
    d = scramble(d, v128.load(SECRET + 176));
  }
  const sum = (length as u64) * PRIME64_1;
  return avalanche(sum + merge(a, 11) + merge(b, 27) + merge(c, 43) + merge(d, 59));
}

@inline
function hash(key: usize, length: usize): u64 {
  if (length > 16) {
    if (length <= 128) return hash17To128(key, length);
    if (length <= 240) return hash129To240(key, length);
    return hashLong(key, length);
  }
  if (length > 8) return hash9To16(key, length);
  if (length > 3) return hash4To8(key, length);
  if (length > 0) return hash1To3(key, length);
  return foldedProduct(secretWord(0), PRIME64_2);
}

/** Writes the first words of digests of keys. */
export function xxph3Hash(spans: usize, count: u32, digests: usize, params: usize): void {
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    store<u64>(digests, hash(startOf(span), lengthOf(span)));
    digests += RANGED_DIGEST;
  }
}
