// The standard Bloom filter (Bloom 1970), one per segment: a digest's probes pick bits.

import { Parameters } from "./parameters";
import { MULTIPLIER, mix, scale } from "./probes";

@inline
function setBit(segment: usize, position: usize): void {
  const word = segment + ((position >> 5) << 2);
  store<u32>(word, load<u32>(word) | (1 << (position as u32)));
}

@inline
function bit(segment: usize, position: usize): u32 {
  return load<u32>(segment + ((position >> 5) << 2)) >> (position as u32);
}

/** Sets a bit; returns 1 if it was 0. */
@inline
function setNewBit(segment: usize, position: usize): u32 {
  const word = segment + ((position >> 5) << 2);
  const held = load<u32>(word);
  store<u32>(word, held | (1 << (position as u32)));
  return (~held >> (position as u32)) & 1;
}

/** Adds `count` digests to the segment at `segment`. */
export function bloomAdd(segment: usize, digests: usize, count: u32, parameters: Parameters): void {
  const bits = parameters.places;
  const k = parameters.k as u32;
  const end = digests + ((count as usize) << 3);
  for (let at = digests; at < end; at += 8) setBits(segment, bits, k, load<u64>(at));
}

@inline
function setBits(segment: usize, bits: u64, k: u32, digest: u64): void {
  let x = digest;
  let left = k;
  for (; left >= 2; left -= 2) {
    x *= MULTIPLIER;
    setBit(segment, scale(x >> 32, bits));
    setBit(segment, scale(x & 0xffffffff, bits));
    x = mix(x);
  }
  if (left) setBit(segment, scale((x * MULTIPLIER) >> 32, bits));
}

@inline
export function isIn(segment: usize, bits: u64, k: u32, digest: u64): bool {
  let x = digest;
  let left = k;
  for (; left >= 2; left -= 2) {
    x *= MULTIPLIER;
    if (!(bit(segment, scale(x >> 32, bits)) & bit(segment, scale(x & 0xffffffff, bits)) & 1)) return false;
    x = mix(x);
  }
  return !left || (bit(segment, scale((x * MULTIPLIER) >> 32, bits)) & 1) != 0;
}

/** Adds a digest; returns 1 if it was not in the segment. */
@inline
export function setNew(segment: usize, bits: u64, k: u32, digest: u64): u32 {
  let x = digest;
  let isNew: u32 = 0;
  let left = k;
  for (; left >= 2; left -= 2) {
    x *= MULTIPLIER;
    isNew |= setNewBit(segment, scale(x >> 32, bits));
    isNew |= setNewBit(segment, scale(x & 0xffffffff, bits));
    x = mix(x);
  }
  if (left) isNew |= setNewBit(segment, scale((x * MULTIPLIER) >> 32, bits));
  return isNew;
}

/**
 * Tests `count` digests against the segment at `segment`: writes one byte a digest, 1 (maybe present) or 0 (absent), at
 * `hits` and returns the number of ones.
 */
export function bloomTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const bits = parameters.places;
  const k = parameters.k as u32;
  const end = digests + ((count as usize) << 3);
  let found: u32 = 0;
  for (let at = digests; at < end; at += 8) {
    const hit = isIn(segment, bits, k, load<u64>(at)) as u32;
    store<u8>(hits++, hit);
    found += hit;
  }
  return found;
}
