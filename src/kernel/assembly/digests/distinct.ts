// The exact number of distinct digests, by a hash table with linear probing.

import { finish } from "../hashes/murmur3";

/**
 * Notes `count` digests in a table of `slots` slots, a power of two: u64 digests, or 0 if empty. The number of distinct digests follows as
 * u32. At most half of the slots are used, so that runs stay short. Returns false if there are more distinct digests; the table then has
 * all earlier digests and some of these, but no number.
 */
export function noteDistinct(table: usize, slots: u32, digests: usize, count: u32): bool {
  const mask = (slots - 1) as usize;
  const total = table + ((slots as usize) << 3);
  let distinct = load<u32>(total);
  for (let i: usize = 0; i < (count as usize); i++) {
    const digest = load<u64>(digests + (i << 3));
    // 0 marks an empty slot. The digest 0 shares the slot of 1, which makes no practical difference.
    const value = digest ? digest : 1;
    let slot = (value as usize) & mask;
    let held = load<u64>(table + (slot << 3));
    while (held != 0 && held != value) {
      slot = (slot + 1) & mask;
      held = load<u64>(table + (slot << 3));
    }
    if (held == 0) {
      if (distinct == slots >> 1) return false;
      store<u64>(table + (slot << 3), value);
      distinct++;
    }
  }
  store<u32>(total, distinct);
  return true;
}

/** Notes the digests of another table in this table. Returns false if they are too many; this table is useless then. */
export function mergeDistinct(table: usize, slots: u32, other: usize, otherSlots: u32): bool {
  for (let slot: usize = 0; slot < (otherSlots as usize); slot++) {
    const digest = other + (slot << 3);
    if (load<u64>(digest) != 0 && !noteDistinct(table, slots, digest, 1)) return false;
  }
  return true;
}

/**
 * Turns each of `count` digests of `words` words into a number that depends on all their bits. The function has an
 * inverse if there is one word.
 */
export function identify(digests: usize, words: u32, count: u32, numbers: usize): void {
  const step = (words as usize) << 3;
  for (const end = numbers + ((count as usize) << 3); numbers < end; numbers += 8) {
    let number: u64 = 0;
    for (const next = digests + step; digests < next; digests += 8) number = finish(number ^ load<u64>(digests));
    store<u64>(numbers, number);
  }
}
