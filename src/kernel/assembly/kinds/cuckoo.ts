// The operations of the cuckoo filter, one filter per segment; see cuckoo-buckets.ts.
//
// In memory a tally follows the segment, u32 each: 1 plus the number of used slots, or 0 if they are not counted; and
// the number of repeated fingerprints, as in `cuckooFill`.

import {
  bitOf, copies, COPIES, fingerprintOf, firstBucket, GOLDEN, lanesFor, occurrences, other, replace, setSlot, slotAt, SLOTS,
} from "./cuckoo-buckets";
import { Parameters } from "../parameters";
import { MULTIPLIER } from "./probes";

/** The most fingerprints that are moved for the insertion of one fingerprint. */
const EVICTIONS: u32 = 1000;

/** After this many failed insertions no fingerprint is moved any more: the filter is full. */
const FULL: u32 = 1024;

/** The result of `insert` without a free slot. */
const NO_PLACE: u32 = 0xff;

/**
 * Puts a fingerprint into one of its buckets, unless it has the most copies already. Moves other fingerprints if
 * necessary. Returns the number of copies before, or `NO_PLACE` if the last moved fingerprint found no slot.
 */
@inline
function insert(segment: usize, buckets: u32, bits: u32, ones: u64, bucket: u32, fingerprint: u32, evictions: u32): u32 {
  const second = other(bucket, fingerprint, buckets);
  const held = copies(segment, bucket, second, bits, ones, fingerprint);
  if (held >= COPIES) return held;
  if (replace(segment, bucket, bits, ones, 0, fingerprint) || replace(segment, second, bits, ones, 0, fingerprint)) return held;
  return evict(segment, buckets, bits, ones, bucket, second, fingerprint, evictions) ? held : NO_PLACE;
}

/**
 * Puts a fingerprint into its second bucket, when both buckets are full, by moving others. Returns false if the last of
 * them found no slot.
 */
function evict(
  segment: usize, buckets: u32, bits: u32, ones: u64, bucket: u32, second: u32, fingerprint: u32, evictions: u32,
): bool {
  let from = second;
  let moving = fingerprint;
  let random = fingerprint * GOLDEN + bucket;
  for (let i: u32 = 0; i < evictions; i++) {
    // The multiplier and increment of Numerical Recipes. The two highest bits select the slot.
    random = random * 1664525 + 1013904223;
    const bit = bitOf(from, bits) + (random >> 30) * bits;
    const evicted = slotAt(segment, bit, bits);
    setSlot(segment, bit, bits, moving);
    moving = evicted;
    from = other(from, moving, buckets);
    if (replace(segment, from, bits, ones, 0, moving)) return true;
  }
  return false;
}

/** Adds `count` digests to a segment. Returns the number of digests without a slot. */
export function cuckooAdd(segment: usize, digests: usize, count: u32, parameters: Parameters): u32 {
  const buckets = parameters.units as u32;
  const bits = parameters.k as u32;
  const ones = lanesFor(bits);
  let refused: u32 = 0;
  let used: u32 = 0;
  let repeats: u32 = 0;
  if (count == 0) return 0;
  let i: u32 = 0;
  do {
    const x = load<u64>(digests + ((i as usize) << 3)) * MULTIPLIER;
    const held = insert(segment, buckets, bits, ones, firstBucket(x, buckets), fingerprintOf(x, bits), EVICTIONS);
    refused += (held == NO_PLACE) as u32;
    used += (held < COPIES) as u32;
    repeats += (held - 1 < COPIES - 1) as u32;
  } while (++i < count);
  const tally = tallyOf(segment, parameters);
  const counted = load<u32>(tally);
  if (refused) store<u32>(tally, 0);
  else if (counted) {
    store<u32>(tally, counted + used);
    store<u32>(tally, load<u32>(tally, 4) + repeats, 4);
  }
  return refused;
}

/**
 * Adds those of `count` digests whose byte at `known` is 0, one after the other, if they are not in the segment by
 * then. Writes 1 there for the other digests. Returns `count`, or the index of the first digest without a slot; another
 * key has then lost its slot.
 */
export function cuckooAddNew(segment: usize, digests: usize, count: u32, known: usize, parameters: Parameters): u32 {
  const buckets = parameters.units as u32;
  const bits = parameters.k as u32;
  const ones = lanesFor(bits);
  const tally = tallyOf(segment, parameters);
  let used: u32 = 0;
  let i: u32 = 0;
  for (; i < count; i++) {
    if (load<u8>(known + i)) continue;
    const x = load<u64>(digests + ((i as usize) << 3)) * MULTIPLIER;
    const fingerprint = fingerprintOf(x, bits);
    const a = firstBucket(x, buckets);
    const b = other(a, fingerprint, buckets);
    if (copies(segment, a, b, bits, ones, fingerprint)) store<u8>(known + i, 1);
    else if (
      replace(segment, a, bits, ones, 0, fingerprint) ||
      replace(segment, b, bits, ones, 0, fingerprint) ||
      evict(segment, buckets, bits, ones, a, b, fingerprint, EVICTIONS)
    ) {
      used++;
    } else {
      store<u32>(tally, 0);
      return i;
    }
  }
  const counted = load<u32>(tally);
  if (counted) store<u32>(tally, counted + used);
  return count;
}

@inline
function tallyOf(segment: usize, parameters: Parameters): usize {
  return segment + (parameters.bytes as usize);
}

/**
 * Tests `count` digests. Writes a byte each at `hits`, 1 (maybe present) or 0 (absent), and returns the number of ones.
 */
export function cuckooTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const buckets = parameters.units as u32;
  const bits = parameters.k as u32;
  const ones = lanesFor(bits);
  let found: u32 = 0;
  if (count == 0) return 0;
  let i: u32 = 0;
  do {
    const x = load<u64>(digests + ((i as usize) << 3)) * MULTIPLIER;
    const fingerprint = fingerprintOf(x, bits);
    const a = firstBucket(x, buckets);
    const b = other(a, fingerprint, buckets);
    const held = occurrences(segment, a, bits, ones, fingerprint) | occurrences(segment, b, bits, ones, fingerprint);
    const hit = (held != 0) as u32;
    store<u8>(hits + i, hit);
    found += hit;
  } while (++i < count);
  return found;
}

/** Removes the digests that are not absent, one after the other. Returns their number. */
export function cuckooRemove(segment: usize, digests: usize, count: u32, parameters: Parameters): u32 {
  const buckets = parameters.units as u32;
  const bits = parameters.k as u32;
  const ones = lanesFor(bits);
  let removed: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const x = load<u64>(digests + ((i as usize) << 3)) * MULTIPLIER;
    const fingerprint = fingerprintOf(x, bits);
    const a = firstBucket(x, buckets);
    const b = other(a, fingerprint, buckets);
    if (
      copies(segment, a, b, bits, ones, fingerprint) >= COPIES ||
      replace(segment, a, bits, ones, fingerprint, 0) ||
      replace(segment, b, bits, ones, fingerprint, 0)
    ) {
      removed++;
    }
  }
  store<u32>(tallyOf(segment, parameters), 0);
  return removed;
}

/**
 * Inserts every fingerprint of the segment at `from` into the segment at `segment`. Returns the number of fingerprints
 * without a slot.
 */
export function cuckooMerge(segment: usize, from: usize, parameters: Parameters): u32 {
  const buckets = parameters.units as u32;
  const bits = parameters.k as u32;
  const ones = lanesFor(bits);
  let refused: u32 = 0;
  for (let bucket: u32 = 0; bucket < buckets; bucket++) {
    for (let slot: u32 = 0; slot < SLOTS; slot++) {
      const fingerprint = slotAt(from, bitOf(bucket, bits) + slot * bits, bits);
      if (!fingerprint) continue;
      const evictions = refused < FULL ? EVICTIONS : 0;
      if (insert(segment, buckets, bits, ones, bucket, fingerprint, evictions) == NO_PLACE) refused++;
    }
  }
  return refused;
}

/**
 * Writes at `found` the number of used slots of a segment, and the number of repeats among them, u32 each. A repeat has
 * the same fingerprint as an earlier slot of its bucket, or as a slot of the lower of its two buckets.
 */
export function cuckooFill(segment: usize, parameters: Parameters, found: usize): void {
  const buckets = parameters.units as u32;
  const bits = parameters.k as u32;
  const ones = lanesFor(bits);
  let used: u32 = 0;
  let repeats: u32 = 0;
  for (let bucket: u32 = 0; bucket < buckets; bucket++) {
    const free = occurrences(segment, bucket, bits, ones, 0);
    used += SLOTS - free;
    for (let slot: u32 = 0, left = SLOTS - free; left > 0; slot++) {
      const fingerprint = slotAt(segment, bitOf(bucket, bits) + slot * bits, bits);
      if (!fingerprint) continue;
      left--;
      const second = other(bucket, fingerprint, buckets);
      const isLower = ((second < bucket) as u32) & ((occurrences(segment, second, bits, ones, fingerprint) > 0) as u32);
      if (isLower || isAgain(segment, bucket, slot, bits, ones, fingerprint)) repeats++;
    }
  }
  store<u32>(found, used);
  store<u32>(found, repeats, 4);
}

/** Whether an earlier slot of the bucket has the same fingerprint. */
@inline
function isAgain(segment: usize, bucket: u32, slot: u32, bits: u32, ones: u64, fingerprint: u32): bool {
  if (occurrences(segment, bucket, bits, ones, fingerprint) == 1) return false;
  for (let before: u32 = 0; before < slot; before++) {
    if (slotAt(segment, bitOf(bucket, bits) + before * bits, bits) == fingerprint) return true;
  }
  return false;
}
