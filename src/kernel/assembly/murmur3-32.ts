// MurmurHash3_x86_32, after Austin Appleby's MurmurHash3.cpp (SMHasher, public domain).

import { lastBytes } from "./loads";

const C1: u32 = 0xcc9e2d51;
const C2: u32 = 0x1b873593;

@inline
function scrambled(block: u32): u32 {
  return rotl(block * C1, 15) * C2;
}

/** The hash after one more block. */
@inline
export function mix32(hash: u32, block: u32): u32 {
  return rotl(hash ^ scrambled(block), 13) * 5 + 0xe6546b64;
}

/** The hash of so many bytes, after all of them. */
@inline
export function finish32(hash: u32, length: usize): u32 {
  hash ^= length as u32;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
  return hash ^ (hash >> 16);
}

/** The hash of a key with a seed. */
@inline
export function murmur3x32(key: usize, length: usize, seed: u32): u32 {
  const end = key + length;
  const tail = length & 3;
  const lastBlock = end - tail;
  let hash = seed;
  for (let at = key; at < lastBlock; at += 4) hash = mix32(hash, load<u32>(at));
  if (tail) hash ^= scrambled(lastBytes(end, tail, length) as u32);
  return finish32(hash, length);
}
