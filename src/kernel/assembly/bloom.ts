// The standard Bloom filter (Bloom 1970), one per segment: a digest's probes pick bits.

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
      x = mix(x);
    }
    if (left) setBit(segment, scale((x * MULTIPLIER) >> 32, bits));
  }
}

/** Keys that the last `bloomAddNew` added. */
let added: u32 = 0;

/**
 * Adds those of `count` digests that are not known, a byte each at `known`, and not in the segment, until `room` are
 * added; returns the number of digests that were looked at.
 */
export function bloomAddNew(
  segment: usize, segmentBits: u32, hashes: u32, digests: usize, count: u32, known: usize, room: u32,
): u32 {
  added = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(known + i)) continue;
    const digest = digests + ((i as usize) << 3);
    if (isIn(segment, segmentBits, hashes, load<u64>(digest))) continue;
    if (added == room) return i;
    bloomAdd(segment, segmentBits, hashes, digest, 1);
    added++;
  }
  return count;
}

export function bloomAdded(): u32 {
  return added;
}

@inline
function isIn(segment: usize, segmentBits: u32, hashes: u32, digest: u64): bool {
  const bits = segmentBits as u64;
  let x = digest;
  let left = hashes;
  for (; left >= 2; left -= 2) {
    x *= MULTIPLIER;
    if (!(bit(segment, scale(x >> 32, bits)) & bit(segment, scale(x & 0xffffffff, bits)) & 1)) return false;
    x = mix(x);
  }
  return !left || (bit(segment, scale((x * MULTIPLIER) >> 32, bits)) & 1) != 0;
}

/**
 * Tests `count` digests against the segment at `segment`: writes one byte a digest, 1 (maybe present) or 0 (absent), at
 * `hits` and returns the number of ones.
 */
export function bloomTest(segment: usize, segmentBits: u32, hashes: u32, digests: usize, count: u32, hits: usize): u32 {
  const end = digests + ((count as usize) << 3);
  let found: u32 = 0;
  for (let at = digests; at < end; at += 8) {
    const hit = isIn(segment, segmentBits, hashes, load<u64>(at)) as u32;
    store<u8>(hits++, hit);
    found += hit;
  }
  return found;
}
