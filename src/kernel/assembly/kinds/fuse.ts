// The binary fuse filter (Graf & Lemire 2022, "Binary fuse filters: fast and smaller than Xor filters"), one per segment:
// a digest picks a slot in each of three windows that follow each other, and a fingerprint of k bits, which is the XOR
// of these slots.
//
// Slots are given values by peeling: a slot that only one key picks can be left to this key, which is then set aside, and
// so on until no key is left. If some are, it is tried anew with other picks in the same windows, which is enough: they are
// a few that pick the same slots. Windows that overlap from key to key make that succeed with fewer slots than three picked
// anywhere. Behind its head, see static.ts, a segment has slots of k bits one after the other; they are read as words of
// 64 bits, the last of which ends within it.

import { countOf, fraction, LIST, numberAt } from "./drafts";
import { Parameters } from "../parameters";
import { MULTIPLIER, scale } from "./probes";
import { HEAD, headOf, keptBits, TRIALS, tidy, trialsOf, widthOf, writeHead } from "./static";

/** Picks of each key, in windows of its own. */
const PICKS: u32 = 3;

/** Bits of a scattered key below those that make its second and third pick, and below those of which it has k for its fingerprint. */
const SECOND_SHIFT: u64 = 36;
const THIRD_SHIFT: u64 = 50;
const FINGERPRINT_SHIFT: u64 = 32;

/** Keys that pick the same slot are counted in a byte. Only keys that somebody chose are so many. */
const COUNT_LIMIT: u32 = 255;

/**
 * Slots of a window, a power of two, where there are so many in all: some n^0.57 of n. The paper has
 * 2^(log n / log 3.33 + 2.25), this exponent is nearly the same in whole numbers. There is a window for each pick.
 */
@inline
function windowOf(slots: u32): u32 {
  return 1 << min((4 * log2(slots) + 12) / 7, log2(slots / PICKS));
}

@inline
function log2(value: u32): u32 {
  return 31 - clz(value);
}

/** What keys are multiplied with if it was tried anew so often. */
@inline
function multiplierOf(trials: u32): u64 {
  return MULTIPLIER + ((trials as u64) << 1);
}

/** What makes the fingerprint of a key and its second and third pick. */
@inline
function scatter(place: u64, multiplier: u64): u64 {
  return place * multiplier;
}

/** Slots of the windows in which a key can have its first pick. */
@inline
function firstsOf(slots: u32, window: u32): u64 {
  return (slots - (PICKS - 1) * window) as u64;
}

/** The first pick of a key. Keys in order pick in order, so that those that meet are near to each other. */
@inline
function firstPick(place: u64, firsts: u64): u32 {
  return scale(place >> 32, firsts) as u32;
}

/** The pick of a scattered key in the window after that of its first one. */
@inline
function secondPick(key: u64, first: u32, window: u32): u32 {
  return (first + window) ^ (((key >> SECOND_SHIFT) as u32) & (window - 1));
}

/** And in the one after that. */
@inline
function thirdPick(key: u64, first: u32, window: u32): u32 {
  return (first + 2 * window) ^ (((key >> THIRD_SHIFT) as u32) & (window - 1));
}

/**
 * The fingerprint of a scattered key, in the lowest k bits. Some of the bits above the shift make picks too, and with them alone a
 * small filter errs more often, as what its slots have in common is what strangers have. None of the k bits below does; `lower` is
 * the mask of these that are XORed to it, none of them in filters of kind 9.
 */
@inline
function fingerprintOf(key: u64, k: u64, lower: u64): u64 {
  return (key >> FINGERPRINT_SHIFT) ^ ((key >> (FINGERPRINT_SHIFT - k)) & lower);
}

/** The word in which a slot has the lowest k bits; above them are its neighbours. */
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

/** Tests `count` digests: a byte each, 1 (maybe present) or 0 (absent), at `hits`; returns the number of ones. */
export function fuseTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const slots = parameters.places as u32;
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
  // With its test at the end: V8 then computes before the loop what is the same for all keys.
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

/** Turns a draft into the segment; returns the number of keys above the limit up to which they can be peeled. */
export function fuseSeal(draft: usize, parameters: Parameters): u32 {
  const limit = parameters.limit as u32;
  const slots = parameters.places as u32;
  const count = tidy(draft, parameters);
  if (count > limit) return count - limit;
  // For each slot the XOR of the keys that pick it; then the slots in the order in which they were left to a key; then
  // for each slot the number of those keys.
  const sums = parameters.scratch as usize;
  const order = sums + ((slots as usize) << 3);
  const counts = order + (((slots + 1) as usize) << 2);
  const width = widthOf(parameters.k);
  let trials: u32 = 0;
  while (!(note(draft, width, trials, slots, sums, counts) && peel(count, trials, slots, sums, order, counts)))
    if (trials++ == TRIALS) return 1;
  memory.fill(draft + HEAD, 0, (((slots as usize) * (parameters.k as usize)) >> 3) + 8);
  writeHead(draft, count, trials, parameters.k);
  assign(draft, count, trials, slots, parameters, sums, order);
  return 0;
}

/** Notes at each slot the keys that pick it; false if too many do. */
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

/** Notes at a slot a key that picks it; false if too many do. */
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
 * Leaves a slot to each of `count` keys, which it alone picks of those that are left; false if there is none for some.
 * Which slots that are nobody foresees, a processor neither: so each is written down, and the next over it if it is none.
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

/** Takes a key away from a slot; returns how many slots are written down by then. */
@inline
function without(slot: u32, place: u64, sums: usize, order: usize, counts: usize, alone: u32): u32 {
  const left = (load<u8>(counts + slot) as u32) - 1;
  store<u8>(counts + slot, left);
  const sum = sums + ((slot as usize) << 3);
  store<u64>(sum, load<u64>(sum) ^ place);
  store<u32>(order + ((alone as usize) << 2), slot);
  return alone + ((left == 1) as u32);
}

/** Gives slots the values that make fingerprints of their keys, the last that was left to a key first. */
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
    // Nothing is in this slot yet.
    const held = xorOfPicks(segment, key, firstPick(place, firsts), window, k);
    const bit = (slot as usize) * (k as usize);
    const at = segment + HEAD + (bit >> 3);
    store<u64>(at, load<u64>(at) | (((held ^ fingerprintOf(key, k, lower)) & mask) << (bit & 7)));
  }
}
