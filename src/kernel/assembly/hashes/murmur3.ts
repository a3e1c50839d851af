// MurmurHash3_x64_128, after Austin Appleby's MurmurHash3.cpp (SMHasher, public domain). h1 is the first 64 bits, h2
// the others. Both halves start as the seed, which has 64 bits here. The hash is the original if the seed is below
// 2^32.

import { lastBytes } from "./loads";
import { lengthOf, spanAt, startOf } from "../spans";

const C1: u64 = 0x87c37b91114253d5;
const C2: u64 = 0x4cf5ad432745937f;

@inline
export function scrambleFirst(word: u64): u64 {
  return rotl(word * C1, 31) * C2;
}

@inline
export function scrambleSecond(word: u64): u64 {
  return rotl(word * C2, 33) * C1;
}

/** h1 after the first word of a block. */
@inline
export function mixFirst(h1: u64, h2: u64, word: u64): u64 {
  return (rotl(h1 ^ scrambleFirst(word), 27) + h2) * 5 + 0x52dce729;
}

/** h2 after the second word of a block. `h1` is already mixed with the first word. */
@inline
export function mixSecond(h1: u64, h2: u64, word: u64): u64 {
  return (rotl(h2 ^ scrambleSecond(word), 31) + h1) * 5 + 0x38495ab5;
}

/** Makes each bit of a word depend on all bits. The function has an inverse. */
@inline
export function finish(half: u64): u64 {
  half = (half ^ (half >> 33)) * 0xff51afd7ed558ccd;
  half = (half ^ (half >> 33)) * 0xc4ceb9fe1a85ec53;
  return half ^ (half >> 33);
}

/** The first word of the final hash of `length` bytes. The second word is stored at `second`, unless `second` is 0. */
@inline
export function finishWords(h1: u64, h2: u64, length: usize, second: usize): u64 {
  h1 ^= length as u64;
  h2 ^= length as u64;
  h1 += h2;
  h2 += h1;
  h2 = finish(h2);
  h1 = finish(h1) + h2;
  if (second) store<u64>(second, h1 + h2);
  return h1;
}

/** Returns h1. h2 is stored at `second`, unless `second` is 0. */
@inline
function hash(key: usize, length: usize, seed: u64, second: usize): u64 {
  const end = key + length;
  const tail = length & 15;
  const lastBlock = end - tail;
  let h1 = seed;
  let h2 = seed;
  let at = key;
  for (; at < lastBlock; at += 16) {
    h1 = mixFirst(h1, h2, load<u64>(at));
    h2 = mixSecond(h1, h2, load<u64>(at + 8));
  }
  if (tail >= 8) {
    h1 ^= scrambleFirst(load<u64>(at));
    if (tail > 8) h2 ^= scrambleSecond(lastBytes(end, tail - 8, length));
  } else if (tail) {
    h1 ^= scrambleFirst(lastBytes(end, tail, length));
  }
  return finishWords(h1, h2, length, second);
}

/**
 * The digest of a key whose hash is 0, such as the empty key. All probes of a digest of 0 are equal, so the empty key
 * would be a false positive in every other filter.
 */
const ZERO: u64 = 0x9e3779b97f4a7c15;

/** The first 64 bits of MurmurHash3 of keys, xor a constant. */
export function murmur3Hash(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u64>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    store<u64>(digests, hash(startOf(span), lengthOf(span), seed, 0) ^ ZERO);
    digests += 8;
  }
}

/** h1 and h2 of MurmurHash3 of keys. */
export function murmur3WideHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u64>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    store<u64>(digests, hash(startOf(span), lengthOf(span), seed, digests + 8));
    digests += 16;
  }
}
