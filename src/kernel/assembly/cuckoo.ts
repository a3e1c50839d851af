// The cuckoo filter (Fan, Andersen, Kaminsky & Mitzenmacher 2014), one per segment: a digest leaves a fingerprint of f
// bits, never 0, in one of 4 slots of one of two buckets. Each bucket follows from the fingerprint and the other one.
//
// A bucket is 4f bits, slot 0 lowest, one after the other; 0 is a free slot. The buckets of a key with fingerprint F
// are i and (H(F) - i) mod buckets. What is there COPIES times is not added again, so that nobody knows how often it
// was; it stays for ever.

import { Parameters } from "./parameters";
import { MULTIPLIER, scale } from "./probes";

const SLOTS: u32 = 4;

/** Two keys of a few hundred are equal here, three hardly ever; and of more copies than that much fewer fit. */
const COPIES: u32 = 3;

/** Fingerprints that are moved to make room for one. */
const EVICTIONS: u32 = 1000;

/** When so many found no place none is moved any more: the filter is full. */
const FULL: u32 = 1024;

/** 2^32 divided by the golden ratio (Knuth, The Art of Computer Programming, vol. 3, section 6.4). */
const GOLDEN: u32 = 0x9e3779b1;

/** Above this, a bucket does not fit a word at every offset. */
const WORD_FINGERPRINT: u32 = 15;

@inline
function other(bucket: u32, fingerprint: u32, buckets: u32): u32 {
  const sum = scale((fingerprint * GOLDEN) as u64, buckets as u64) as u32;
  return sum >= bucket ? sum - bucket : sum - bucket + buckets;
}

@inline
function firstBucket(x: u64, buckets: u32): u32 {
  return scale(x >> 32, buckets as u64) as u32;
}

@inline
function fingerprintOf(x: u64, bits: u32): u32 {
  return 1 + (scale(x & 0xffffffff, ((1 as u64) << bits) - 1) as u32);
}

/** The slot that starts at a bit of the segment. */
@inline
function slotAt(segment: usize, bit: usize, bits: u32): u32 {
  return ((load<u64>(segment + (bit >> 3)) >> (bit & 7)) & (((1 as u64) << bits) - 1)) as u32;
}

@inline
function setSlot(segment: usize, bit: usize, bits: u32, fingerprint: u32): void {
  const at = segment + (bit >> 3);
  const shift = (bit & 7) as u64;
  const mask = (((1 as u64) << bits) - 1) << shift;
  store<u64>(at, (load<u64>(at) & ~mask) | ((fingerprint as u64) << shift));
}

@inline
function bitOf(bucket: u32, bits: u32): usize {
  return (bucket as usize) * ((SLOTS * bits) as usize);
}

/** Slots of a bucket that hold a value. */
function occurrences(segment: usize, bucket: u32, bits: u32, value: u32): u32 {
  let found: u32 = 0;
  for (let slot: u32 = 0; slot < SLOTS; slot++) {
    if (slotAt(segment, bitOf(bucket, bits) + slot * bits, bits) == value) found++;
  }
  return found;
}

/** Puts one value in the place of another in a bucket; false if that is not there. */
function replace(segment: usize, bucket: u32, bits: u32, old: u32, value: u32): bool {
  for (let slot: u32 = 0; slot < SLOTS; slot++) {
    const bit = bitOf(bucket, bits) + slot * bits;
    if (slotAt(segment, bit, bits) != old) continue;
    setSlot(segment, bit, bits, value);
    return true;
  }
  return false;
}

/** Copies of a fingerprint in its buckets. */
@inline
function copies(segment: usize, a: u32, b: u32, bits: u32, fingerprint: u32): u32 {
  const found = occurrences(segment, a, bits, fingerprint);
  return a == b ? found : found + occurrences(segment, b, bits, fingerprint);
}

/**
 * Puts a fingerprint into one of its buckets, moving others if it must; false if the last one that was moved found no
 * place.
 */
function insert(segment: usize, buckets: u32, bits: u32, bucket: u32, fingerprint: u32, evictions: u32 = EVICTIONS): bool {
  const second = other(bucket, fingerprint, buckets);
  if (copies(segment, bucket, second, bits, fingerprint) >= COPIES) return true;
  if (replace(segment, bucket, bits, 0, fingerprint) || replace(segment, second, bits, 0, fingerprint)) return true;
  let from = second;
  let moving = fingerprint;
  let random = fingerprint * GOLDEN + bucket;
  for (let i: u32 = 0; i < evictions; i++) {
    // The multiplier and increment of Numerical Recipes; the two highest bits pick the slot.
    random = random * 1664525 + 1013904223;
    const bit = bitOf(from, bits) + (random >> 30) * bits;
    const evicted = slotAt(segment, bit, bits);
    setSlot(segment, bit, bits, moving);
    moving = evicted;
    from = other(from, moving, buckets);
    if (replace(segment, from, bits, 0, moving)) return true;
  }
  return false;
}

/** Adds `count` digests to a segment; returns the number of those for which there was no place. */
export function cuckooAdd(segment: usize, digests: usize, count: u32, parameters: Parameters): u32 {
  const buckets = parameters.places as u32;
  const bits = parameters.k as u32;
  let refused: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const x = load<u64>(digests + ((i as usize) << 3)) * MULTIPLIER;
    if (!insert(segment, buckets, bits, firstBucket(x, buckets), fingerprintOf(x, bits))) refused++;
  }
  return refused;
}

/** Tests `count` digests: a byte each, 1 (maybe present) or 0 (absent), at `hits`; returns the number of ones. */
export function cuckooTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const buckets = parameters.places as u32;
  const bits = parameters.k as u32;
  const ones = bits <= WORD_FINGERPRINT ? lowBits(bits) : 0;
  const high = ones << ((bits - 1) as u64);
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const x = load<u64>(digests + ((i as usize) << 3)) * MULTIPLIER;
    const fingerprint = fingerprintOf(x, bits);
    const a = firstBucket(x, buckets);
    const b = other(a, fingerprint, buckets);
    let hit: u32;
    if (ones) {
      const pattern = (fingerprint as u64) * ones;
      hit = (matches(segment, a, bits, pattern, ones, high) | matches(segment, b, bits, pattern, ones, high)) as u32;
    } else {
      hit = ((occurrences(segment, a, bits, fingerprint) | occurrences(segment, b, bits, fingerprint)) != 0) as u32;
    }
    store<u8>(hits + i, hit);
    found += hit;
  }
  return found;
}

/** The lowest bit of each slot of a bucket. */
@inline
function lowBits(bits: u32): u64 {
  const two = ((1 as u64) << bits) | 1;
  return two | (two << ((2 * bits) as u64));
}

/**
 * Whether a slot of a bucket equals its part of the pattern: a difference of 0 borrows from the bit above it, all slots
 * at once.
 */
@inline
function matches(segment: usize, bucket: u32, bits: u32, pattern: u64, ones: u64, high: u64): bool {
  const bit = bitOf(bucket, bits);
  const difference = (load<u64>(segment + (bit >> 3)) >> (bit & 7)) ^ pattern;
  return ((difference - ones) & ~difference & high) != 0;
}

/** Removes digests, one after the other, that are not absent; returns their number. */
export function cuckooRemove(segment: usize, digests: usize, count: u32, parameters: Parameters): u32 {
  const buckets = parameters.places as u32;
  const bits = parameters.k as u32;
  let removed: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const x = load<u64>(digests + ((i as usize) << 3)) * MULTIPLIER;
    const fingerprint = fingerprintOf(x, bits);
    const a = firstBucket(x, buckets);
    const b = other(a, fingerprint, buckets);
    if (
      copies(segment, a, b, bits, fingerprint) >= COPIES ||
      replace(segment, a, bits, fingerprint, 0) ||
      replace(segment, b, bits, fingerprint, 0)
    ) {
      removed++;
    }
  }
  return removed;
}

/**
 * Puts every fingerprint of the segment at `from` into the one at `segment`; returns the number of those for which
 * there was no place.
 */
export function cuckooUnite(segment: usize, from: usize, parameters: Parameters): u32 {
  const buckets = parameters.places as u32;
  const bits = parameters.k as u32;
  let refused: u32 = 0;
  for (let bucket: u32 = 0; bucket < buckets; bucket++) {
    for (let slot: u32 = 0; slot < SLOTS; slot++) {
      const fingerprint = slotAt(from, bitOf(bucket, bits) + slot * bits, bits);
      const evictions = refused < FULL ? EVICTIONS : 0;
      if (fingerprint && !insert(segment, buckets, bits, bucket, fingerprint, evictions)) refused++;
    }
  }
  return refused;
}

/**
 * Writes at `found` how many slots of a segment are taken, and how many of those hold a copy of what another one of the
 * same key holds: one before it, or one in the lower of its buckets; u32 each.
 */
export function cuckooFill(segment: usize, parameters: Parameters, found: usize): void {
  const buckets = parameters.places as u32;
  const bits = parameters.k as u32;
  let taken: u32 = 0;
  let repeats: u32 = 0;
  for (let bucket: u32 = 0; bucket < buckets; bucket++) {
    for (let slot: u32 = 0; slot < SLOTS; slot++) {
      const fingerprint = slotAt(segment, bitOf(bucket, bits) + slot * bits, bits);
      if (!fingerprint) continue;
      taken++;
      const second = other(bucket, fingerprint, buckets);
      let isRepeat = second < bucket && occurrences(segment, second, bits, fingerprint) > 0;
      for (let before: u32 = 0; before < slot && !isRepeat; before++) {
        isRepeat = slotAt(segment, bitOf(bucket, bits) + before * bits, bits) == fingerprint;
      }
      if (isRepeat) repeats++;
    }
  }
  store<u32>(found, taken);
  store<u32>(found, repeats, 4);
}
