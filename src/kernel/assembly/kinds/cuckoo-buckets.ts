// The buckets of a cuckoo filter (Fan, Andersen, Kaminsky & Mitzenmacher 2014). A digest leaves a fingerprint of f
// bits, never 0, in one of 4 slots of one of two buckets. Each bucket follows from the fingerprint and the other
// bucket.
//
// A bucket is 4f bits, with slot 0 in the lowest bits; buckets follow each other. 0 is a free slot. The buckets of a
// key with fingerprint F are i and (H(F) - i) mod buckets. A fingerprint with COPIES copies is not added again. Then
// its number of additions is unknown, and it is never removed.
//
// If the fingerprints of a bucket fit a word, they are compared at once, as lanes of the word. `ones` has the lowest
// bit of each lane, or is 0 if they do not fit.

import { lanes, zeroLanes } from "./lanes";
import { scale } from "./probes";

export const SLOTS: u32 = 4;

/** Two of a few hundred keys are equal here, three almost never. Far fewer keys would fit if more copies were kept. */
export const COPIES: u32 = 3;

/** 2^32 divided by the golden ratio (Knuth, The Art of Computer Programming, vol. 3, section 6.4). */
export const GOLDEN: u32 = 0x9e3779b1;

/** A bucket of longer fingerprints does not fit a word at every bit offset. */
const WORD_FINGERPRINT: u32 = 16;

@inline
export function other(bucket: u32, fingerprint: u32, buckets: u32): u32 {
  const sum = scale((fingerprint * GOLDEN) as u64, buckets as u64) as u32;
  return sum >= bucket ? sum - bucket : sum - bucket + buckets;
}

@inline
export function firstBucket(x: u64, buckets: u32): u32 {
  return scale(x >> 32, buckets as u64) as u32;
}

@inline
export function fingerprintOf(x: u64, bits: u32): u32 {
  return 1 + (scale(x & 0xffffffff, ((1 as u64) << bits) - 1) as u32);
}

/** The slot at a bit offset of the segment. */
@inline
export function slotAt(segment: usize, bit: usize, bits: u32): u32 {
  return ((load<u64>(segment + (bit >> 3)) >> (bit & 7)) & (((1 as u64) << bits) - 1)) as u32;
}

@inline
export function setSlot(segment: usize, bit: usize, bits: u32, fingerprint: u32): void {
  const at = segment + (bit >> 3);
  const shift = (bit & 7) as u64;
  const mask = (((1 as u64) << bits) - 1) << shift;
  store<u64>(at, (load<u64>(at) & ~mask) | ((fingerprint as u64) << shift));
}

@inline
export function bitOf(bucket: u32, bits: u32): usize {
  return (bucket as usize) * ((SLOTS * bits) as usize);
}

/** The lowest bit of each lane of a bucket; 0 if the lanes do not fit a word. */
@inline
export function lanesFor(bits: u32): u64 {
  return bits <= WORD_FINGERPRINT ? lanes(bits, SLOTS) : 0;
}

/** The number of slots of a bucket that hold a value. */
@inline
export function occurrences(segment: usize, bucket: u32, bits: u32, ones: u64, value: u32): u32 {
  const bit = bitOf(bucket, bits);
  if (ones) {
    const word = load<u64>(segment + (bit >> 3)) >> (bit & 7);
    return popcnt(zeroLanes(word ^ ((value as u64) * ones), bits, ones)) as u32;
  }
  let found: u32 = 0;
  for (let slot: u32 = 0; slot < SLOTS; slot++) if (slotAt(segment, bit + slot * bits, bits) == value) found++;
  return found;
}

/** Replaces the first occurrence of a value in a bucket by another value. Returns false if the value is missing. */
@inline
export function replace(segment: usize, bucket: u32, bits: u32, ones: u64, old: u32, value: u32): bool {
  const bucketBit = bitOf(bucket, bits);
  if (ones) {
    const at = segment + (bucketBit >> 3);
    const word = load<u64>(at);
    const shift = (bucketBit & 7) as u64;
    const found = zeroLanes((word >> shift) ^ ((old as u64) * ones), bits, ones);
    if (!found) return false;
    store<u64>(at, word ^ (((old ^ value) as u64) << (ctz(found) - ((bits - 1) as u64) + shift)));
    return true;
  }
  for (let slot: u32 = 0; slot < SLOTS; slot++) {
    const bit = bucketBit + slot * bits;
    if (slotAt(segment, bit, bits) != old) continue;
    setSlot(segment, bit, bits, value);
    return true;
  }
  return false;
}

/** The number of copies of a fingerprint in its buckets. */
@inline
export function copies(segment: usize, a: u32, b: u32, bits: u32, ones: u64, fingerprint: u32): u32 {
  const found = occurrences(segment, a, bits, ones, fingerprint);
  return a == b ? found : found + occurrences(segment, b, bits, ones, fingerprint);
}
