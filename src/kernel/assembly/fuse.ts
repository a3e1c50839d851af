// The binary fuse filter (Graf & Lemire 2022, "Binary fuse filters: fast and smaller than Xor filters"), one per segment:
// a digest picks a slot in each of three windows that follow each other, and a fingerprint of k bits, which is the XOR
// of these slots.
//
// Slots are given values by peeling: a slot that only one key picks can be left to this key, which is then set aside, and
// so on until no key is left. If some are, they are mixed and it is tried anew. Windows that overlap from key to key make
// that succeed with fewer slots than three picked anywhere. Behind its head, see static.ts, a segment has slots of k
// bits one after the other; they are read as words of 64 bits, the last of which ends within it.

import { countOf, LIST, numberAt } from "./drafts";
import { Parameters } from "./parameters";
import { MULTIPLIER, scale } from "./probes";
import { HEAD, headOf, MIXES, mix, mixAll, placeOf, tidy, widthOf, writeHead } from "./static";

/** Picks of each key, in windows of its own. */
const PICKS: u32 = 3;

/** Bits of a mixed key that pick a slot of a window. */
const PICK_BITS: u64 = 21;

/** Keys that pick the same slot are counted in a byte. Only keys that somebody chose are so many. */
const COUNT_LIMIT: u32 = 255;

/**
 * Windows of so many slots: some n^0.43 of them. The paper has them of 2^(log n / log 3.33 + 2.25) slots, this exponent
 * is nearly the same in whole numbers. All slots are shared out among them, so that they need no power of two.
 */
@inline
function windowsOf(slots: u32): u32 {
  return max(PICKS, slots >> ((4 * (31 - clz(slots)) + 12) / 7));
}

/** The first slot of the first window of a key, the windows having so many slots each. */
@inline
function firstOf(place: u64, windows: u32, length: u32): u32 {
  return (scale(place >> 32, (windows - PICKS + 1) as u64) as u32) * length;
}

/** The slot that a mixed key picks in the window at an index from its first one on. */
@inline
function pick(mixed: u64, first: u32, index: u32, length: u32): u32 {
  const share = (mixed >> (PICK_BITS * (index as u64))) & ((1 << PICK_BITS) - 1);
  return first + index * length + (((share * (length as u64)) >> PICK_BITS) as u32);
}

@inline
function fingerprintOf(mixed: u64, k: u64): u64 {
  return (mixed * MULTIPLIER) >> (64 - k);
}

/** The word in which a slot has the lowest k bits; above them are its neighbours. */
@inline
function slotAt(segment: usize, slot: u32, k: u64): u64 {
  const bit = (slot as usize) * (k as usize);
  return load<u64>(segment + HEAD + (bit >> 3)) >> (bit & 7);
}

/** The XOR of the slots that a mixed key picks, in the lowest k bits. */
@inline
function xorOfPicks(segment: usize, mixed: u64, first: u32, length: u32, k: u64): u64 {
  return (
    slotAt(segment, pick(mixed, first, 0, length), k) ^
    slotAt(segment, pick(mixed, first, 1, length), k) ^
    slotAt(segment, pick(mixed, first, 2, length), k)
  );
}

/** Tests `count` digests: a byte each, 1 (maybe present) or 0 (absent), at `hits`; returns the number of ones. */
export function fuseTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const slots = parameters.places as u32;
  const k = parameters.k;
  const mask = ((1 as u64) << k) - 1;
  const windows = windowsOf(slots);
  const length = slots / windows;
  const head = headOf(segment);
  const end = digests + ((count as usize) << 3);
  let found: u32 = 0;
  for (let at = digests; at < end; at += 8) {
    const place = placeOf(load<u64>(at), segments, head);
    const mixed = mix(place);
    const first = firstOf(place, windows, length);
    const held = xorOfPicks(segment, mixed, first, length, k);
    const hit = (((held ^ fingerprintOf(mixed, k)) & mask) == 0) as u32;
    store<u8>(hits++, hit);
    found += hit;
  }
  return found;
}

/** Turns a draft into the segment; returns the number of keys above the limit up to which they can be peeled. */
export function fuseFinalize(draft: usize, parameters: Parameters): u32 {
  const limit = parameters.limit as u32;
  const slots = parameters.places as u32;
  const count = tidy(draft, parameters);
  if (count > limit) return count - limit;
  // For each slot the XOR of the keys that pick it; then the slots in the order in which they were left to a key; then
  // for each slot the number of those keys.
  const sums = parameters.scratch as usize;
  const order = sums + ((slots as usize) << 3);
  const counts = order + (((slots + 1) as usize) << 2);
  let mixes: u32 = 0;
  let different = count;
  for (; !(note(draft, widthOf(parameters.k), slots, sums, counts) && peel(different, slots, sums, order, counts)); mixes++) {
    if (mixes == MIXES) return 1;
    different = mixAll(draft, parameters);
  }
  memory.fill(draft + HEAD, 0, (((slots as usize) * (parameters.k as usize)) >> 3) + 8);
  writeHead(draft, count, mixes, parameters.k);
  assign(draft, different, slots, parameters.k, sums, order);
  return 0;
}

/** Notes at each slot the keys that pick it; false if too many do. */
function note(draft: usize, width: usize, slots: u32, sums: usize, counts: usize): bool {
  const windows = windowsOf(slots);
  const length = slots / windows;
  memory.fill(sums, 0, (slots as usize) << 3);
  memory.fill(counts, 0, slots as usize);
  const end = draft + LIST + (countOf(draft) as usize) * width;
  for (let at = draft + LIST; at < end; at += width) {
    const place = numberAt(at, width);
    const mixed = mix(place);
    const first = firstOf(place, windows, length);
    for (let index: u32 = 0; index < PICKS; index++) {
      const slot = pick(mixed, first, index, length) as usize;
      const held = load<u8>(counts + slot) as u32;
      if (held == COUNT_LIMIT) return false;
      store<u8>(counts + slot, held + 1);
      store<u64>(sums + (slot << 3), load<u64>(sums + (slot << 3)) ^ place);
    }
  }
  return true;
}

/**
 * Leaves a slot to each of `count` keys, which it alone picks of those that are left; false if there is none for some.
 * Which slots that are nobody foresees, a processor neither: so each is written down, and the next over it if it is none.
 */
function peel(count: u32, slots: u32, sums: usize, order: usize, counts: usize): bool {
  const windows = windowsOf(slots);
  const length = slots / windows;
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
    const mixed = mix(place);
    const first = firstOf(place, windows, length);
    for (let index: u32 = 0; index < PICKS; index++) {
      const other = pick(mixed, first, index, length);
      const left = (load<u8>(counts + other) as u32) - 1;
      store<u8>(counts + other, left);
      const sum = sums + ((other as usize) << 3);
      store<u64>(sum, load<u64>(sum) ^ place);
      store<u32>(order + ((alone as usize) << 2), other);
      alone += (left == 1) as u32;
    }
    store<u64>(sums + ((slot as usize) << 3), place);
  }
  return peeled == count;
}

/** Gives slots the values that make fingerprints of their keys, the last that was left to a key first. */
function assign(segment: usize, count: u32, slots: u32, k: u64, sums: usize, order: usize): void {
  const mask = ((1 as u64) << k) - 1;
  const windows = windowsOf(slots);
  const length = slots / windows;
  for (let i = count; i-- > 0; ) {
    const slot = load<u32>(order + ((i as usize) << 2));
    const place = load<u64>(sums + ((slot as usize) << 3));
    const mixed = mix(place);
    const first = firstOf(place, windows, length);
    // Nothing is in this slot yet.
    const held = xorOfPicks(segment, mixed, first, length, k);
    const bit = (slot as usize) * (k as usize);
    const at = segment + HEAD + (bit >> 3);
    store<u64>(at, load<u64>(at) | (((held ^ fingerprintOf(mixed, k)) & mask) << (bit & 7)));
  }
}
