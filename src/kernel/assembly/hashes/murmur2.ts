// MurmurHash2 and MurmurHash64A (Austin Appleby's MurmurHash2.cpp, SMHasher, public domain), each once or twice. The
// first hash of a key, the first word of a digest, is the seed of the second hash.

import { lastBytes } from "./loads";
import { lengthOf, spanAt, startOf } from "../spans";

const M64: u64 = 0xc6a4a7935bd1e995;
const M32: u32 = 0x5bd1e995;

@inline
function mixed64(block: u64): u64 {
  block *= M64;
  return (block ^ (block >> 47)) * M64;
}

@inline
function hash64(key: usize, length: usize, seed: u64): u64 {
  const end = key + length;
  const tail = length & 7;
  const lastBlock = end - tail;
  let hash = seed ^ ((length as u64) * M64);
  for (let at = key; at < lastBlock; at += 8) hash = (hash ^ mixed64(load<u64>(at))) * M64;
  if (tail) hash = (hash ^ lastBytes(end, tail, length)) * M64;
  hash = (hash ^ (hash >> 47)) * M64;
  return hash ^ (hash >> 47);
}

/** MurmurHash64A of keys. */
export function murmur64aOnce(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u64>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    store<u64>(digests, hash64(startOf(span), lengthOf(span), seed));
    digests += 8;
  }
}

/** MurmurHash64A of keys, and again with the first hash as the seed. */
export function murmur64aTwice(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u64>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const length = lengthOf(span);
    const first = hash64(start, length, seed);
    store<u64>(digests, first);
    store<u64>(digests, hash64(start, length, first), 8);
    digests += 16;
  }
}

@inline
export function mixed32(block: u32): u32 {
  block *= M32;
  return (block ^ (block >> 24)) * M32;
}

@inline
function hash32(key: usize, length: usize, seed: u32): u32 {
  const end = key + length;
  const tail = length & 3;
  const lastBlock = end - tail;
  let hash = seed ^ (length as u32);
  let at = key;
  for (; at < lastBlock; at += 4) hash = (hash * M32) ^ mixed32(load<u32>(at));
  if (tail) hash = (hash ^ (lastBytes(end, tail, length) as u32)) * M32;
  hash = (hash ^ (hash >> 13)) * M32;
  return hash ^ (hash >> 15);
}

/** MurmurHash2 of keys with 32 bits, and again with the first hash as the seed. */
export function murmur2Twice(spans: usize, count: u32, digests: usize, params: usize): void {
  const seed = load<u32>(params);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const length = lengthOf(span);
    const first = hash32(start, length, seed);
    store<u64>(digests, first as u64);
    store<u64>(digests, hash32(start, length, first) as u64, 8);
    digests += 16;
  }
}
