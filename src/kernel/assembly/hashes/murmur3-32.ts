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

/** The final hash of `length` bytes, after all blocks. */
@inline
export function finish32(hash: u32, length: usize): u32 {
  hash ^= length as u32;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
  return hash ^ (hash >> 16);
}

/** Rotates the 32-bit numbers in the four lanes of a vector to the left. */
@inline
function rotateLanes(numbers: v128, bits: i32): v128 {
  return v128.or(i32x4.shl(numbers, bits), i32x4.shr_u(numbers, 32 - bits));
}

/** Four hashes, each after one more block. */
@inline
export function mixLanes32(hashes: v128, blocks: v128): v128 {
  const scrambled = i32x4.mul(rotateLanes(i32x4.mul(blocks, i32x4.splat(C1 as i32)), 15), i32x4.splat(C2 as i32));
  const rotated = rotateLanes(v128.xor(hashes, scrambled), 13);
  return i32x4.add(i32x4.add(rotated, i32x4.shl(rotated, 2)), i32x4.splat(0xe6546b64 as i32));
}

/** Four final hashes of `length` bytes each, after all blocks. */
@inline
export function finishLanes32(hashes: v128, length: usize): v128 {
  hashes = v128.xor(hashes, i32x4.splat(length as i32));
  hashes = i32x4.mul(v128.xor(hashes, i32x4.shr_u(hashes, 16)), i32x4.splat(0x85ebca6b as i32));
  hashes = i32x4.mul(v128.xor(hashes, i32x4.shr_u(hashes, 13)), i32x4.splat(0xc2b2ae35 as i32));
  return v128.xor(hashes, i32x4.shr_u(hashes, 16));
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
