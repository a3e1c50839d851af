// MurmurHash3_x64_128, after Austin Appleby's MurmurHash3.cpp (SMHasher, public domain), of which the first 64 bits,
// h1, are the hash. Both halves start as the seed, which has 64 bits here; for those below 2^32 it is the original.

import { load1, load4, load8 } from "./fold";

const C1: u64 = 0x87c37b91114253d5;
const C2: u64 = 0x4cf5ad432745937f;

@inline
function scrambleFirst(word: u64): u64 {
  return rotl(word * C1, 31) * C2;
}

@inline
function scrambleSecond(word: u64): u64 {
  return rotl(word * C2, 33) * C1;
}

@inline
function finish(half: u64): u64 {
  half = (half ^ (half >> 33)) * 0xff51afd7ed558ccd;
  half = (half ^ (half >> 33)) * 0xc4ceb9fe1a85ec53;
  return half ^ (half >> 33);
}

/** The last `count` bytes, 1 to 7, of a key of `length` bytes: overlapping loads, none of which leaves the key. */
@inline
function lastBytes(end: usize, count: usize, length: usize, fold: bool): u64 {
  if (length >= 8) return load8(end - 8, fold) >> ((64 - 8 * count) as u64);
  const at = end - count;
  if (count >= 4) return load4(at, fold) | (load4(end - 4, fold) << ((8 * (count - 4)) as u64));
  const middle = count >> 1;
  const last = count - 1;
  return load1(at, fold) | (load1(at + middle, fold) << ((8 * middle) as u64)) | (load1(at + last, fold) << ((8 * last) as u64));
}

@inline
function hash(key: usize, length: usize, seed: u64, fold: bool): u64 {
  const end = key + length;
  const tail = length & 15;
  const lastBlock = end - tail;
  let h1 = seed;
  let h2 = seed;
  let at = key;
  for (; at < lastBlock; at += 16) {
    h1 = (rotl(h1 ^ scrambleFirst(load8(at, fold)), 27) + h2) * 5 + 0x52dce729;
    h2 = (rotl(h2 ^ scrambleSecond(load8(at + 8, fold)), 31) + h1) * 5 + 0x38495ab5;
  }
  if (tail >= 8) {
    h1 ^= scrambleFirst(load8(at, fold));
    if (tail > 8) h2 ^= scrambleSecond(lastBytes(end, tail - 8, length, fold));
  } else if (tail) {
    h1 ^= scrambleFirst(lastBytes(end, tail, length, fold));
  }
  h1 ^= length as u64;
  h2 ^= length as u64;
  h1 += h2;
  h2 += h1;
  return finish(h1) + finish(h2);
}

/** The first 64 bits of MurmurHash3 of `length` bytes at `key`. */
export function murmur3(key: usize, length: usize, seed: u64): u64 {
  return hash(key, length, seed, false);
}

/** Those of the same bytes with ASCII letters in lower case. */
export function murmur3Folded(key: usize, length: usize, seed: u64): u64 {
  return hash(key, length, seed, true);
}
