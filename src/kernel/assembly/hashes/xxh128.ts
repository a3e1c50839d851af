// XXH3 with 128 bits of a 16-byte salt and a key, after the specification "xxHash fast digest algorithm" by Yann
// Collet, version 0.2.0. It uses the default secret and seed 0.

import { SCRATCH_BYTES } from "./message";
import { foldedProduct, highProduct } from "./product";
import {
  accumulate, avalanche, PRIME32_1, PRIME32_2, PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME64_5, scramble,
  SECRET, SECRET_BYTES, secretWord, STRIPE, STRIPES,
} from "./xxh3";

const SALT_BYTES: usize = 16;

/** The longest message that is copied. Longer messages are read in stripes. */
const MIDDLE: usize = 240;

/** The offset of the copy in the scratch memory. */
const COPY: usize = SCRATCH_BYTES - 256;

/** Writes the digest big-endian, with its high half first. */
@inline
function storeDigest(scratch: usize, low: u64, high: u64): void {
  store<u64>(scratch, bswap(high));
  store<u64>(scratch, bswap(low), 8);
}

@inline
function word(at: usize, offset: usize): u64 {
  return load<u64>(at + offset);
}

/** The digest of 16 bytes. */
@inline
function hash16(at: usize, scratch: usize): void {
  const last = word(at, 8);
  const a = word(at, 0) ^ last ^ secretWord(32) ^ secretWord(40);
  const b = last ^ secretWord(48) ^ secretWord(56);
  const high = highProduct(a, PRIME64_1) + b + (b & 0xffffffff) * (PRIME32_2 - 1);
  const low = (a * PRIME64_1 + (((SALT_BYTES - 1) as u64) << 54)) ^ bswap(high);
  storeDigest(scratch, avalanche(low * PRIME64_2), avalanche(highProduct(low, PRIME64_2) + high * PRIME64_2));
}

/**
 * Adds 16 bytes, mixed with the secret at an offset, to a half of the digest. Then XORs in the sum of the words at
 * `other`.
 */
@inline
function mixed(half: u64, at: usize, other: usize, offset: usize): u64 {
  return (half + foldedProduct(word(at, 0) ^ secretWord(offset), word(at, 8) ^ secretWord(offset + 8))) ^
    (word(other, 0) + word(other, 8));
}

@inline
function finish(low: u64, high: u64, length: usize, scratch: usize): void {
  const mixedHigh = low * PRIME64_1 + high * PRIME64_4 + (length as u64) * PRIME64_2;
  storeDigest(scratch, avalanche(low + high), 0 - avalanche(mixedHigh));
}

@inline
function hash17To128(at: usize, length: usize, scratch: usize): void {
  let low = (length as u64) * PRIME64_1;
  let high: u64 = 0;
  // The innermost pair comes first.
  for (let i = ((length - 1) >> 5) << 4; ; i -= 16) {
    const end = at + length - i - 16;
    low = mixed(low, at + i, end, 2 * i);
    high = mixed(high, end, at + i, 2 * i + 16);
    if (i == 0) break;
  }
  finish(low, high, length, scratch);
}

@inline
function hash129To240(at: usize, length: usize, scratch: usize): void {
  let low = (length as u64) * PRIME64_1;
  let high: u64 = 0;
  for (let i: usize = 0; i < 128; i += 32) {
    low = mixed(low, at + i, at + i + 16, i);
    high = mixed(high, at + i + 16, at + i, i + 16);
  }
  low = avalanche(low);
  high = avalanche(high);
  for (let i: usize = 128; i + 32 <= length; i += 32) {
    low = mixed(low, at + i, at + i + 16, i - 128 + 3);
    high = mixed(high, at + i + 16, at + i, i - 128 + 19);
  }
  const last = at + length - 16;
  low = mixed(low, last, last - 16, 103);
  high = mixed(high, last - 16, last, 119);
  finish(low, high, length, scratch);
}

/** Merges two accumulators with the secret at an offset. */
@inline
function merge(sums: v128, offset: usize): u64 {
  const value = v128.xor(sums, v128.load(SECRET + offset));
  return foldedProduct(i64x2.extract_lane(value, 0), i64x2.extract_lane(value, 1));
}

/**
 * The digest of more than 240 bytes. The first stripe is at `first`; the others are where they would be if the message
 * began at `at`.
 */
function hashLong(first: usize, at: usize, length: usize, scratch: usize): void {
  let a = i64x2.replace_lane(i64x2.splat(PRIME32_3), 1, PRIME64_1);
  let b = i64x2.replace_lane(i64x2.splat(PRIME64_2), 1, PRIME64_3);
  let c = i64x2.replace_lane(i64x2.splat(PRIME64_4), 1, PRIME32_2);
  let d = i64x2.replace_lane(i64x2.splat(PRIME64_5), 1, PRIME32_1);
  const stripes = (length - 1) / STRIPE;
  for (let n: usize = 0; n <= stripes; n++) {
    const isLast = n == stripes;
    const stripe = n == 0 ? first : isLast ? at + length - STRIPE : at + STRIPE * n;
    const inBlock = n % STRIPES;
    const secret = SECRET + (isLast ? SECRET_BYTES - STRIPE - 7 : inBlock << 3);
    a = accumulate(a, v128.load(stripe), v128.load(secret));
    b = accumulate(b, v128.load(stripe, 16), v128.load(secret, 16));
    c = accumulate(c, v128.load(stripe, 32), v128.load(secret, 32));
    d = accumulate(d, v128.load(stripe, 48), v128.load(secret, 48));
    if (isLast || inBlock != STRIPES - 1) continue;
    a = scramble(a, v128.load(SECRET + SECRET_BYTES - 64));
    b = scramble(b, v128.load(SECRET + SECRET_BYTES - 48));
    c = scramble(c, v128.load(SECRET + SECRET_BYTES - 32));
    d = scramble(d, v128.load(SECRET + SECRET_BYTES - 16));
  }
  const low = (length as u64) * PRIME64_1 + merge(a, 11) + merge(b, 27) + merge(c, 43) + merge(d, 59);
  const high = ~((length as u64) * PRIME64_2) + merge(a, 117) + merge(b, 133) + merge(c, 149) + merge(d, 165);
  storeDigest(scratch, avalanche(low), avalanche(high));
}

/** XXH3 with 128 bits of a 16-byte salt and a key: 16 bytes at the beginning of `scratch`. */
export function xxh128(salt: usize, key: usize, keyLength: usize, scratch: usize): void {
  const length = SALT_BYTES + keyLength;
  const copy = scratch + COPY;
  memory.copy(copy, salt, SALT_BYTES);
  memory.copy(copy + SALT_BYTES, key, min(keyLength, MIDDLE - SALT_BYTES));
  if (length > MIDDLE) hashLong(copy, key - SALT_BYTES, length, scratch);
  else if (length > 128) hash129To240(copy, length, scratch);
  else if (length > SALT_BYTES) hash17To128(copy, length, scratch);
  else hash16(copy, scratch);
}
