// XXH3 with 64 bits, after the specification "xxHash fast digest algorithm" by Yann Collet, version 0.2.0, with its
// default secret. The secret depends on the seed if a key has more than 240 bytes. Its words are derived where they are
// needed. So instances that share a memory share no changing data.

import { load1, load4 } from "./loads";
import { foldedProduct } from "./product";
import { lengthOf, spanAt, startOf } from "../spans";

export const PRIME32_1: u64 = 0x9e3779b1;
export const PRIME32_2: u64 = 0x85ebca77;
export const PRIME32_3: u64 = 0xc2b2ae3d;
export const PRIME64_1: u64 = 0x9e3779b185ebca87;
export const PRIME64_2: u64 = 0xc2b2ae3d27d4eb4f;
export const PRIME64_3: u64 = 0x165667b19e3779f9;
export const PRIME64_4: u64 = 0x85ebca77c2b2ae63;
export const PRIME64_5: u64 = 0x27d4eb2f165667c5;
const PRIME_MX1: u64 = 0x165667919e3779f9;
const PRIME_MX2: u64 = 0x9fb21c651e98df25;

/** The secret of 192 bytes. The specification reads little-endian words at any offset. */
export const SECRET: usize = memory.data<u64>([
  0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072,
  0x78e5c0cc4ee679cb, 0x2172ffcc7dd05a82, 0x8e2443f7744608b8, 0x4c263a81e69035e0,
  0xcb00c391bb52283c, 0xa32e531b8b65d088, 0x4ef90da297486471, 0xd8acdea946ef1938,
  0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a, 0x647378d9c97e9fc8,
  0xc3ebd33483acc5ea, 0xeb6313faffa081c5, 0x49daf0b751dd0d17, 0x9e68d429265516d3,
  0xfca1477d58be162b, 0xce31d07ad1b8f88f, 0x280416958f3acb45, 0x7e404bbbcafbd7af,
]);
export const SECRET_BYTES: usize = 192;

export const STRIPE: usize = 64;

/** Stripes per block of the longest keys. The secret advances by 8 bytes per stripe. */
export const STRIPES: usize = (SECRET_BYTES - STRIPE) / 8;

@inline
export function secretWord(offset: usize): u64 {
  return load<u64>(SECRET + offset);
}

@inline
export function avalanche(x: u64): u64 {
  x = (x ^ (x >> 37)) * PRIME_MX1;
  return x ^ (x >> 32);
}

@inline
function avalancheXxh64(x: u64): u64 {
  x = (x ^ (x >> 33)) * PRIME64_2;
  x = (x ^ (x >> 29)) * PRIME64_3;
  return x ^ (x >> 32);
}

@inline
function hash1To3(key: usize, length: usize, seed: u64): u64 {
  const first = load1(key);
  const middle = load1(key + (length >> 1));
  const last = load1(key + length - 1);
  const combined = last | ((length as u64) << 8) | (first << 16) | (middle << 24);
  const secret = secretWord(0);
  return avalancheXxh64((((secret ^ (secret >> 32)) & 0xffffffff) + seed) ^ combined);
}

@inline
function hash4To8(key: usize, length: usize, seed: u64): u64 {
  const combined = load4(key + length - 4) | (load4(key) << 32);
  const modifiedSeed = seed ^ ((bswap<u32>(seed as u32) as u64) << 32);
  let x = ((secretWord(8) ^ secretWord(16)) - modifiedSeed) ^ combined;
  x = (x ^ rotl(x, 49) ^ rotl(x, 24)) * PRIME_MX2;
  x = (x ^ ((x >> 35) + (length as u64))) * PRIME_MX2;
  return x ^ (x >> 28);
}

@inline
function hash9To16(key: usize, length: usize, seed: u64): u64 {
  const low = ((secretWord(24) ^ secretWord(32)) + seed) ^ load<u64>(key);
  const high = ((secretWord(40) ^ secretWord(48)) - seed) ^ load<u64>(key + length - 8);
  return avalanche((length as u64) + bswap<u64>(low) + high + foldedProduct(low, high));
}

@inline
function mix(at: usize, offset: usize, seed: u64): u64 {
  const first = load<u64>(at) ^ (secretWord(offset) + seed);
  const second = load<u64>(at + 8) ^ (secretWord(offset + 8) - seed);
  return foldedProduct(first, second);
}

@inline
function hash17To128(key: usize, length: usize, seed: u64): u64 {
  // The outermost pair is handled separately, because most keys have no other.
  let sum = (length as u64) * PRIME64_1;
  sum += mix(key, 0, seed);
  sum += mix(key + length - 16, 16, seed);
  for (let i: usize = 16; i << 1 < length; i += 16) {
    sum += mix(key + i, 2 * i, seed);
    sum += mix(key + length - i - 16, 2 * i + 16, seed);
  }
  return avalanche(sum);
}

@inline
function hash129To240(key: usize, length: usize, seed: u64): u64 {
  let sum = (length as u64) * PRIME64_1;
  for (let i: usize = 0; i < 128; i += 16) sum += mix(key + i, i, seed);
  sum = avalanche(sum);
  const chunks = length & ~15;
  for (let i: usize = 128; i < chunks; i += 16) sum += mix(key + i, i - 128 + 3, seed);
  return avalanche(sum + mix(key + length - 16, 136 - 17, seed));
}

/** Each of two accumulators adds two terms: the neighbour's word, and the product of the halves of its own word. */
@inline
export function accumulate(sums: v128, words: v128, secret: v128): v128 {
  const value = v128.xor(words, secret);
  const low = v128.shuffle<i32>(value, value, 0, 2, 0, 2);
  const high = v128.shuffle<i32>(value, value, 1, 3, 1, 3);
  const swapped = v128.shuffle<i64>(words, words, 1, 0);
  return i64x2.add(sums, i64x2.add(swapped, i64x2.extmul_low_i32x4_u(low, high)));
}

@inline
export function scramble(sums: v128, secret: v128): v128 {
  const value = v128.xor(v128.xor(sums, i64x2.shr_u(sums, 47)), secret);
  return i64x2.mul(value, i64x2.splat(PRIME32_1));
}

/** Two words of the secret derived from the seed. `offset` is a multiple of 8 with the parity of `seeds`. */
@inline
function derived(offset: usize, seeds: v128): v128 {
  return i64x2.add(v128.load(SECRET + offset), seeds);
}

/** The same words one byte further on, which cross the borders of derived words. */
@inline
function derivedPast(offset: usize, seeds: v128, nextSeeds: v128): v128 {
  return v128.or(i64x2.shr_u(derived(offset, seeds), 8), i64x2.shl(derived(offset + 8, nextSeeds), 56));
}

/** The product of two accumulators, with the secret that begins three bytes after `offset`. */
@inline
function merge(sums: v128, offset: usize, seeds: v128, nextSeeds: v128): u64 {
  const secret = v128.or(i64x2.shr_u(derived(offset, seeds), 24), i64x2.shl(derived(offset + 8, nextSeeds), 40));
  const value = v128.xor(sums, secret);
  return foldedProduct(i64x2.extract_lane(value, 0), i64x2.extract_lane(value, 1));
}

/** A separate function: in the function of the short keys, the vectors of the long ones would take registers. */
function hashLong(key: usize, length: usize, seed: u64): u64 {
  // The seed is added to even words of the secret and subtracted from odd words.
  const even = i64x2.replace_lane(i64x2.splat(seed), 1, 0 - seed);
  const odd = i64x2.neg(even);
  let a = i64x2.replace_lane(i64x2.splat(PRIME32_3), 1, PRIME64_1);
  let b = i64x2.replace_lane(i64x2.splat(PRIME64_2), 1, PRIME64_3);
  let c = i64x2.replace_lane(i64x2.splat(PRIME64_4), 1, PRIME32_2);
  let d = i64x2.replace_lane(i64x2.splat(PRIME64_5), 1, PRIME32_1);
  const stripes = (length - 1) / STRIPE;
  for (let n: usize = 0; n < stripes; n++) {
    const at = key + STRIPE * n;
    const inBlock = n % STRIPES;
    const seeds = inBlock & 1 ? odd : even;
    const offset = inBlock << 3;
    a = accumulate(a, v128.load(at), derived(offset, seeds));
    b = accumulate(b, v128.load(at + 16), derived(offset + 16, seeds));
    c = accumulate(c, v128.load(at + 32), derived(offset + 32, seeds));
    d = accumulate(d, v128.load(at + 48), derived(offset + 48, seeds));
    if (inBlock == STRIPES - 1) {
      a = scramble(a, derived(SECRET_BYTES - 64, even));
      b = scramble(b, derived(SECRET_BYTES - 48, even));
      c = scramble(c, derived(SECRET_BYTES - 32, even));
      d = scramble(d, derived(SECRET_BYTES - 16, even));
    }
  }
  const last = key + length - STRIPE;
  a = accumulate(a, v128.load(last), derivedPast(120, odd, even));
  b = accumulate(b, v128.load(last + 16), derivedPast(136, odd, even));
  c = accumulate(c, v128.load(last + 32), derivedPast(152, odd, even));
  d = accumulate(d, v128.load(last + 48), derivedPast(168, odd, even));
  let sum = (length as u64) * PRIME64_1;
  sum += merge(a, 8, odd, even);
  sum += merge(b, 24, odd, even);
  sum += merge(c, 40, odd, even);
  sum += merge(d, 56, odd, even);
  return avalanche(sum);
}

@inline
function hash(key: usize, length: usize, seed: u64): u64 {
  if (length > 16) {
    if (length <= 128) return hash17To128(key, length, seed);
    if (length <= 240) return hash129To240(key, length, seed);
    return hashLong(key, length, seed);
  }
  if (length > 8) return hash9To16(key, length, seed);
  if (length > 3) return hash4To8(key, length, seed);
  if (length > 0) return hash1To3(key, length, seed);
  return avalancheXxh64(seed ^ secretWord(56) ^ secretWord(64));
}

/** XXH3 of `length` bytes at `key`. */
export function xxh3(key: usize, length: usize, seed: u64): u64 {
  return hash(key, length, seed);
}

/** XXH3 of keys. */
export function xxh3Hash(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u64>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    store<u64>(digests, hash(startOf(span), lengthOf(span), seed));
    digests += 8;
  }
}
