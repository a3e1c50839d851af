// The binary fuse filter (Graf & Lemire 2022, "Binary fuse filters: fast and smaller than Xor filters"), one per
// segment. A digest selects a slot in each of three consecutive windows. The XOR of the three slots is its fingerprint
// of k bits.
//
// Slots get their values by peeling: a slot that only one key picks is left to this key, and the key is set aside,
// until no key is left. If some keys are left, a new trial makes other picks in the same windows. This suffices,
// because only a few keys pick the same slots. The windows of neighbouring keys overlap, so peeling succeeds with fewer
// slots than picks anywhere would need.
//
// After its head (see static.ts), a segment has slots of k bits in a row. They are read as words of 64 bits, and the
// last word ends within the segment.

import { countOf, fraction, LIST, numberAt } from "./drafts";
import { Parameters } from "../parameters";
import { MULTIPLIER, scale } from "./probes";
import { HEAD, headOf, keptBits, TRIALS, tidy, trialsOf, writeHead } from "./static";

/** The number of picks per key, each in its own window. */
const PICKS: u32 = 3;

/** The lowest bits of a scattered key for its second pick, for its third pick, and for its k-bit fingerprint. */
const SECOND_SHIFT: u64 = 36;
const THIRD_SHIFT: u64 = 50;
const FINGERPRINT_SHIFT: u64 = 32;

/** A byte counts the keys that pick a slot. Only chosen keys can exceed it. */
const COUNT_LIMIT: u32 = 255;

/**
 * The slots of a window, a power of two, for a total number of slots: about n^0.57 of n. The paper has 2^(log n / log
 * 3.33 + 2.25); this exponent is nearly equal, in whole numbers. There is a window for each pick.
 */
@inline
function windowOf(slots: u32): u32 {
  return 1 << min((4 * log2(slots) + 12) / 7, log2(slots / PICKS));
}

@inline
function log2(value: u32): u32 {
  return 31 - clz(value);
}

/** The multiplier for keys after a number of new trials. */
@inline
function multiplierOf(trials: u32): u64 {
  return MULTIPLIER + ((trials as u64) << 1);
}

/** The scattered key, which gives the fingerprint, the second pick and the third pick. */
@inline
function scatter(place: u64, multiplier: u64): u64 {
  return place * multiplier;
}

/** The slots of the windows in which a key can have its first pick. */
@inline
function firstsOf(slots: u32, window: u32): u64 {
  return (slots - (PICKS - 1) * window) as u64;
}

/** The first pick of a key. Sorted keys pick in order, so that keys with common slots are near each other. */
@inline
function firstPick(place: u64, firsts: u64): u32 {
  return scale(place >> 32, firsts) as u32;
}

/** The pick of a scattered key in the window after its first pick. */
@inline
function secondPick(key: u64, first: u32, window: u32): u32 {
  return (first + window) ^ (((key >> SECOND_SHIFT) as u32) & (window - 1));
}

/** The pick in the window after that. */
@inline
function thirdPick(key: u64, first: u32, window: u32): u32 {
  return (first + 2 * window) ^ (((key >> THIRD_SHIFT) as u32) & (window - 1));
}

/**
 * The fingerprint of a scattered key, in the lowest k bits. Some of the bits above the shift make picks too. Alone,
 * they would raise the rate of a small filter, because slots have these bits in common with non-members. The k bits
 * below make no pick. `lower` is the mask of the bits below that are XORed in; it is 0 in filters of kind 9.
 */
@inline
function fingerprintOf(key: u64, k: u64, lower: u64): u64 {
  return (key >> FINGERPRINT_SHIFT) ^ ((key >> (FINGERPRINT_SHIFT - k)) & lower);
}

/** The word that has a slot in its lowest k bits. Its neighbours are above. */
@inline
function slotAt(segment: usize, slot: u32, k: u64): u64 {
  const bit = (slot as usize) * (k as usize);
  return load<u64>(segment + HEAD + (bit >> 3)) >> (bit & 7);
}

/** The XOR of the slots that a scattered key picks, in the lowest k bits. */
@inline
function xorOfPicks(segment: usize, key: u64, first: u32, window: u32, k: u64): u64 {
  return (
    slotAt(segment, first, k) ^
    slotAt(segment, secondPick(key, first, window), k) ^
    slotAt(segment, thirdPick(key, first, window), k)
  );
}

/**
 * Tests `count` digests. Writes a byte each at `hits`, 1 (maybe present) or 0 (absent), and returns the number of ones.
 */
export function fuseTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const slots = parameters.units as u32;
  const k = parameters.k;
  const lower = parameters.lower;
  const mask = ((1 as u64) << k) - 1;
  const window = windowOf(slots);
  const firsts = firstsOf(slots, window);
  const head = headOf(segment);
  const kept = keptBits(head);
  const multiplier = multiplierOf(trialsOf(head));
  const end = digests + ((count as usize) << 3);
  let found: u32 = 0;
  if (count == 0) return 0;
  // The loop has its test at the end. V8 then computes the values that all keys share before the loop.
  do {
    const place = fraction(load<u64>(digests), segments) & kept;
    const key = scatter(place, multiplier);
    const held = xorOfPicks(segment, key, firstPick(place, firsts), window, k);
    const hit = (((held ^ fingerprintOf(key, k, lower)) & mask) == 0) as u32;
    store<u8>(hits++, hit);
    found += hit;
    digests += 8;
  } while (digests < end);
  return found;
}

/**
 * Makes the segment of a draft, in its place or elsewhere. Returns the number of keys above the limit up to which they
 * can be peeled.
 */
export function fuseSeal(draft: usize, segment: usize, parameters: Parameters): u32 {
  const limit = parameters.limit as u32;
  const slots = parameters.units as u32;
  const count = tidy(draft, parameters);
  if (count > limit) return count - limit;
  // `sums`: for each slot the XOR of the keys that pick it. `order`: the slots in the order in which they were left to
  // a key. `counts`: for each slot the number of the keys that pick it.
  const sums = parameters.scratch as usize;
  const order = sums + ((slots as usize) << 3);
  const counts = order + (((slots + 1) as usize) << 2);
  const width = parameters.width as usize;
  let trials: u32 = 0;
  while (!(note(draft, width, trials, slots, sums, counts) && peel(count, trials, slots, sums, order, counts)))
    if (trials++ == TRIALS) return 1;
  memory.fill(segment + HEAD, 0, (((slots as usize) * (parameters.k as usize)) >> 3) + 8);
  writeHead(segment, count, trials, parameters.width);
  assign(segment, count, trials, slots, parameters, sums, order);
  return 0;
}

/** Notes at each slot the keys that pick it. Returns false if too many keys pick a slot. */
function note(draft: usize, width: usize, trials: u32, slots: u32, sums: usize, counts: usize): bool {
  const window = windowOf(slots);
  const firsts = firstsOf(slots, window);
  const multiplier = multiplierOf(trials);
  memory.fill(sums, 0, (slots as usize) << 3);
  memory.fill(counts, 0, slots as usize);
  const end = draft + LIST + (countOf(draft) as usize) * width;
  for (let at = draft + LIST; at < end; at += width) {
    const place = numberAt(at, width);
    const key = scatter(place, multiplier);
    const first = firstPick(place, firsts);
    if (!noteAt(first, place, sums, counts)) return false;
    if (!noteAt(secondPick(key, first, window), place, sums, counts)) return false;
    if (!noteAt(thirdPick(key, first, window), place, sums, counts)) return false;
  }
  return true;
}

/** Notes at a slot a key that picks it. Returns false if too many keys do. */
@inline
function noteAt(slot: u32, place: u64, sums: usize, counts: usize): bool {
  const held = load<u8>(counts + slot) as u32;
  if (held == COUNT_LIMIT) return false;
  store<u8>(counts + slot, held + 1);
  const sum = sums + ((slot as usize) << 3);
  store<u64>(sum, load<u64>(sum) ^ place);
  return true;
}

/**
 * Leaves to each of `count` keys a slot that no other remaining key picks. Returns false if a key gets no slot. No
 * processor can predict which slots these are. So each slot is written down, and overwritten by the next slot if it is
 * not one of them.
 */
function peel(count: u32, trials: u32, slots: u32, sums: usize, order: usize, counts: usize): bool {
  const window = windowOf(slots);
  const firsts = firstsOf(slots, window);
  const multiplier = multiplierOf(trials);
  let alone: u32 = 0;
  for (let slot: u32 = 0; slot < slots; slot++) {
    store<u32>(order + ((alone as usize) << 2), slot);
    alone += (load<u8>(counts + slot) == 1) as u32;
  }
  let peeled: u32 = 0;
  for (let next: u32 = 0; next < alone; next++) {
    const slot = load<u32>(order + ((next as usize) << 2));
    // Another slot was left to its key.
    if (load<u8>(counts + slot) == 0) continue;
    store<u32>(order + ((peeled++ as usize) << 2), slot);
    const place = load<u64>(sums + ((slot as usize) << 3));
    const key = scatter(place, multiplier);
    const first = firstPick(place, firsts);
    alone = without(first, place, sums, order, counts, alone);
    alone = without(secondPick(key, first, window), place, sums, order, counts, alone);
    alone = without(thirdPick(key, first, window), place, sums, order, counts, alone);
    store<u64>(sums + ((slot as usize) << 3), place);
  }
  return peeled == count;
}

/** Removes a key from a slot. Returns the number of slots that are written down by then. */
@inline
function without(slot: u32, place: u64, sums: usize, order: usize, counts: usize, alone: u32): u32 {
  const left = (load<u8>(counts + slot) as u32) - 1;
  store<u8>(counts + slot, left);
  const sum = sums + ((slot as usize) << 3);
  store<u64>(sum, load<u64>(sum) ^ place);
  store<u32>(order + ((alone as usize) << 2), slot);
  return alone + ((left == 1) as u32);
}

/**
 * Gives the slots the values that make up the fingerprints of their keys. The last slot that was left to a key comes
 * first.
 */
function assign(
  segment: usize, count: u32, trials: u32, slots: u32, parameters: Parameters, sums: usize, order: usize,
): void {
  const k = parameters.k;
  const lower = parameters.lower;
  const mask = ((1 as u64) << k) - 1;
  const window = windowOf(slots);
  const firsts = firstsOf(slots, window);
  const multiplier = multiplierOf(trials);
  for (let i = count; i-- > 0; ) {
    const slot = load<u32>(order + ((i as usize) << 2));
    const place = load<u64>(sums + ((slot as usize) << 3));
    const key = scatter(place, multiplier);
    // This slot is still 0.
    const held = xorOfPicks(segment, key, firstPick(place, firsts), window, k);
    const bit = (slot as usize) * (k as usize);
    const at = segment + HEAD + (bit >> 3);
    store<u64>(at, load<u64>(at) | (((held ^ fingerprintOf(key, k, lower)) & mask) << (bit & 7)));
  }
}
