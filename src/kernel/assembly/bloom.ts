// The standard Bloom filter (Bloom 1970), one per segment: a digest's probes pick bits.

import { MULTIPLIER, scale } from "./probes";

@inline
function setBit(segment: usize, position: usize): void {
  const word = segment + ((position >> 5) << 2);
  store<u32>(word, load<u32>(word) | (1 << (position as u32)));
}

@inline
function bit(segment: usize, position: usize): u32 {
  return load<u32>(segment + ((position >> 5) << 2)) >> (position as u32);
}

/** Adds `count` digests to the segment at `segment`. */
export function bloomAdd(segment: usize, segmentBits: u32, hashes: u32, digests: usize, count: u32): void {
  const bits = segmentBits as u64;
  const end = digests + ((count as usize) << 3);
  for (let at = digests; at < end; at += 8) {
    let x = load<u64>(at);
    let left = hashes;
    for (; left >= 2; left -= 2) {
      x *= MULTIPLIER;
      setBit(segment, scale(x >> 32, bits));
      setBit(segment, scale(x & 0xffffffff, bits));
    }
    if (left) setBit(segment, scale((x * MULTIPLIER) >> 32, bits));
  }
}

/**
 * Tests `count` digests against the segment at `segment`: writes one byte a digest, 1 (maybe present) or 0 (absent), at
 * `hits` and returns the number of ones.
 */
export function bloomTest(segment: usize, segmentBits: u32, hashes: u32, digests: usize, count: u32, hits: usize): u32 {
  const bits = segmentBits as u64;
  const end = digests + ((count as usize) << 3);
  let found: u32 = 0;
  for (let at = digests; at < end; at += 8) {
    let x = load<u64>(at);
    let hit: u32 = 1;
    let left = hashes;
    for (; left >= 2; left -= 2) {
      x *= MULTIPLIER;
      hit = bit(segment, scale(x >> 32, bits)) & bit(segment, scale(x & 0xffffffff, bits)) & 1;
      if (!hit) break;
    }
    if (hit & left) hit = bit(segment, scale((x * MULTIPLIER) >> 32, bits)) & 1;
    store<u8>(hits++, hit);
    found += hit;
  }
  return found;
}
