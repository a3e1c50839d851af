// The standard Bloom filter (Bloom 1970), one per segment. The probes of a digest select bits.

import { Parameters } from "../parameters";
import { MULTIPLIER, mix } from "./probes";

// A probe is half of a number of the digest's sequence, times the bits of a segment. The high half of the product is
// the index of a bit. It is used without further steps, because every instruction counts seven times per key.

@inline
function upperProbe(x: u64, bits: u64): u64 {
  return (x >> 32) * bits;
}

@inline
function lowerProbe(x: u64, bits: u64): u64 {
  return (x & 0xffffffff) * bits;
}

@inline
function wordOf(segment: usize, probe: u64): usize {
  return segment + (((probe >> 37) as usize) << 2);
}

/** Returns the bit as the lowest bit of a word. Other bits are above it. */
@inline
function bit(segment: usize, probe: u64): u32 {
  return load<u32>(wordOf(segment, probe)) >> ((probe >> 32) as u32);
}

@inline
function setBit(segment: usize, probe: u64): void {
  const word = wordOf(segment, probe);
  store<u32>(word, load<u32>(word) | (1 << ((probe >> 32) as u32)));
}

/** Sets a bit; returns 1 if it was 0. */
@inline
function setNewBit(segment: usize, probe: u64): u32 {
  const word = wordOf(segment, probe);
  const held = load<u32>(word);
  const place = (probe >> 32) as u32;
  store<u32>(word, held | (1 << place));
  return (~held >> place) & 1;
}

/** Adds `count` digests to the segment at `segment`. */
export function bloomAdd(segment: usize, digests: usize, count: u32, parameters: Parameters): void {
  const bits = parameters.units;
  const k = parameters.k as u32;
  const end = digests + ((count as usize) << 3);
  for (let at = digests; at < end; at += 8) {
    let x = load<u64>(at);
    let left = k;
    for (; left >= 2; left -= 2) {
      x *= MULTIPLIER;
      setBit(segment, upperProbe(x, bits));
      setBit(segment, lowerProbe(x, bits));
      x = mix(x);
    }
    if (left) setBit(segment, upperProbe(x * MULTIPLIER, bits));
  }
}

/** Adds a digest. Returns 1 if it was not in the segment. */
@inline
export function setNew(segment: usize, bits: u64, k: u32, digest: u64): u32 {
  let x = digest;
  let isNew: u32 = 0;
  let left = k;
  for (; left >= 2; left -= 2) {
    x *= MULTIPLIER;
    isNew |= setNewBit(segment, upperProbe(x, bits));
    isNew |= setNewBit(segment, lowerProbe(x, bits));
    x = mix(x);
  }
  if (left) isNew |= setNewBit(segment, upperProbe(x * MULTIPLIER, bits));
  return isNew;
}

/**
 * Whether the bits of the next two probes of a sequence are set: 1 or 0. The first two probes of a digest come from the
 * digest itself.
 */
@inline
function hasTwo(segment: usize, bits: u64, sequence: u64): u32 {
  const x = sequence * MULTIPLIER;
  return bit(segment, upperProbe(x, bits)) & bit(segment, lowerProbe(x, bits)) & 1;
}

/**
 * Whether the bits of the next `k` probes of a sequence are set: 1 or 0. All bits are read, because branches cost more.
 */
@inline
function hasAll(segment: usize, bits: u64, k: u32, sequence: u64): u32 {
  let x = sequence;
  let all: u32 = 1;
  let left = k;
  for (; left >= 2; left -= 2) {
    x *= MULTIPLIER;
    all &= bit(segment, upperProbe(x, bits)) & bit(segment, lowerProbe(x, bits));
    x = mix(x);
  }
  return left ? all & bit(segment, upperProbe(x * MULTIPLIER, bits)) : all;
}

/** Whether a digest is in a segment: 1 or 0. After the first two probes it is usually decided. */
@inline
export function isIn(segment: usize, bits: u64, k: u32, digest: u64): u32 {
  if (k < 2) return hasAll(segment, bits, k, digest);
  return hasTwo(segment, bits, digest) ? hasAll(segment, bits, k - 2, mix(digest * MULTIPLIER)) : 0;
}

/** Like `isIn`, for one digest at a time. */
export function hasDigest(segment: usize, parameters: Parameters, digest: u64): u32 {
  return isIn(segment, parameters.units, parameters.k as u32, digest);
}

/** Digests that are tested together. Their results decide how to test the next group. */
const GROUP: u32 = 256;

/**
 * Keeps those digests of a group whose third and fourth probes find ones. [from, end) has their indices. Returns the
 * new end.
 */
@inline
function keepTwo(segment: usize, bits: u64, digests: usize, from: usize, end: usize): usize {
  let kept = from;
  for (let at = from; at < end; at++) {
    const i = load<u8>(at);
    store<u8>(kept, i);
    kept += hasTwo(segment, bits, mix(load<u64>(digests + ((i as usize) << 3)) * MULTIPLIER)) as usize;
  }
  return kept;
}

/**
 * Tests a group with two probes, and the remaining digests with the others. This is fastest if few digests remain. If
 * almost none remain, two more probes get their own pass. `left` has space for the indices of a group, a byte each.
 */
@inline
function testFew(
  segment: usize, bits: u64, k: u32, digests: usize, count: u32, hits: usize, left: usize, areFew: bool,
): u32 {
  let end = left;
  for (let i: u32 = 0; i < count; i++) {
    store<u8>(end, i);
    end += hasTwo(segment, bits, load<u64>(digests + ((i as usize) << 3))) as usize;
  }
  if (areFew && k > 4) end = keepTwo(segment, bits, digests, left, end);
  memory.fill(hits, 0, count);
  let found: u32 = 0;
  for (let at = left; at < end; at++) {
    const i = load<u8>(at) as usize;
    const hit = hasAll(segment, bits, k - 2, mix(load<u64>(digests + (i << 3)) * MULTIPLIER));
    store<u8>(hits + i, hit);
    found += hit;
  }
  return found;
}

/** Tests a group with all probes at once. This is fastest if most digests are present. */
@inline
function testMany(segment: usize, bits: u64, k: u32, digests: usize, count: u32, hits: usize): u32 {
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const hit = hasAll(segment, bits, k, load<u64>(digests + ((i as usize) << 3)));
    store<u8>(hits + i, hit);
    found += hit;
  }
  return found;
}

/**
 * Tests `count` digests against the segment at `segment`. Writes one byte per digest at `hits`, 1 (maybe present) or 0
 * (absent), and returns the number of ones. `left` has space for one byte per digest of a group.
 */
export function bloomTest(
  segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters, left: usize,
): u32 {
  if (count == 1) {
    const hit = hasDigest(segment, parameters, load<u64>(digests));
    store<u8>(hits, hit);
    return hit;
  }
  const bits = parameters.units;
  const k = parameters.k as u32;
  let found: u32 = 0;
  let areMany: bool = false;
  let areFew: bool = true;
  for (let from: u32 = 0; from < count; from += GROUP) {
    const size = min(GROUP, count - from);
    const at = digests + ((from as usize) << 3);
    const inGroup: u32 =
      areMany || k < 2
        ? testMany(segment, bits, k, at, size, hits + from)
        : testFew(segment, bits, k, at, size, hits + from, left, areFew);
    areMany = inGroup > size / 2;
    areFew = inGroup < size / 8;
    found += inGroup;
  }
  return found;
}

/**
 * Adds those digests of a group whose byte at `known` is 0. Present digests are found first, because a test costs less
 * than setting bits again. The others are new, unless a digest occurs twice in the group.
 */
@inline
function addNewOfGroup(segment: usize, bits: u64, k: u32, digests: usize, count: u32, known: usize, left: usize): void {
  let end = left;
  for (let i: u32 = 0; i < count && k > 1; i++) {
    store<u8>(end, i);
    end += (hasTwo(segment, bits, load<u64>(digests + ((i as usize) << 3))) & ~load<u8>(known + i)) as usize;
  }
  for (let at = left; at < end; at++) {
    const i = load<u8>(at) as usize;
    store<u8>(known + i, hasAll(segment, bits, k - 2, mix(load<u64>(digests + (i << 3)) * MULTIPLIER)));
  }
  end = left;
  for (let i: u32 = 0; i < count; i++) {
    store<u8>(end, i);
    end += (load<u8>(known + i) ^ 1) as usize;
  }
  for (let at = left; at < end; at++) {
    const i = load<u8>(at) as usize;
    store<u8>(known + i, setNew(segment, bits, k, load<u64>(digests + (i << 3))) ^ 1);
  }
}

/**
 * Adds those of `count` digests whose byte at `known` is 0, as if one after the other. Writes 1 there for each digest
 * that was in the segment by then. `left` has space for one byte per digest of a group.
 */
export function bloomAddNew(
  segment: usize, digests: usize, count: u32, known: usize, parameters: Parameters, left: usize,
): void {
  const bits = parameters.units;
  const k = parameters.k as u32;
  for (let from: u32 = 0; from < count; from += GROUP) {
    addNewOfGroup(segment, bits, k, digests + ((from as usize) << 3), min(GROUP, count - from), known + from, left);
  }
}
