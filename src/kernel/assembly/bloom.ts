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

/**
 * Adds those of `count` digests that are not known, a byte each at `known`, and not in the segment, until `room` are
 * added; writes at `found` how many digests were looked at, and how many were added, u32 each.
 */
export function bloomAddNew(
  segment: usize, digests: usize, count: u32, known: usize, room: u32, parameters: Parameters, found: usize,
): void {
  const bits = parameters.places;
  const k = parameters.k as u32;
  let added: u32 = 0;
  let i: u32 = 0;
  for (; i < count; i++) {
    if (load<u8>(known + i)) continue;
    const digest = load<u64>(digests + ((i as usize) << 3));
    if (isIn(segment, bits, k, digest)) continue;
    if (added == room) break;
    setBits(segment, bits, k, digest);
    added++;
  }
  store<u32>(found, i);
  store<u32>(found, added, 4);
}

@inline
function isIn(segment: usize, bits: u64, k: u32, digest: u64): bool {
  let x = digest;
  let left = k;
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
