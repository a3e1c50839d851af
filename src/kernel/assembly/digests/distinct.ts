// Exact count of distinct digests, by a hash table with linear probing.

import { finish } from "../hashes/murmur3";

/** Slots of the table, a power of two; half of them are used, so that runs stay short. */
const SLOTS: u32 = 1 << 18;
const LIMIT: u32 = SLOTS / 2;

/** Bytes of the table that the binding reserves, zeroed: the slots, then the number of distinct digests, u32. */
export function distinctTableBytes(): u32 {
  return (SLOTS << 3) + 8;
}

/** Slots of such a table: u64 digests, 0 where there is none. */
export function distinctTableSlots(): u32 {
  return SLOTS;
}

/** Notes `count` digests; false, and of no further use, if there are more distinct ones than the table takes. */
export function noteDistinct(table: usize, digests: usize, count: u32): bool {
  const mask = (SLOTS - 1) as usize;
  const total = table + ((SLOTS as usize) << 3);
  let distinct = load<u32>(total);
  for (let i: usize = 0; i < (count as usize); i++) {
    const digest = load<u64>(digests + (i << 3));
    // 0 marks an empty slot; the digest 0 shares the slot of 1, which nobody will ever tell apart.
    const value = digest ? digest : 1;
    let slot = (value as usize) & mask;
    let held = load<u64>(table + (slot << 3));
    while (held != 0 && held != value) {
      slot = (slot + 1) & mask;
      held = load<u64>(table + (slot << 3));
    }
    if (held == 0) {
      if (distinct == LIMIT) return false;
      store<u64>(table + (slot << 3), value);
      distinct++;
    }
  }
  store<u32>(total, distinct);
  return true;
}

/** Notes the digests of another table in this one; false, and of no further use, if they are too many. */
export function mergeDistinct(table: usize, other: usize): bool {
  for (let slot: usize = 0; slot < (SLOTS as usize); slot++) {
    const digest = other + (slot << 3);
    if (load<u64>(digest) != 0 && !noteDistinct(table, digest, 1)) return false;
  }
  return true;
}

/** Makes of each of `count` digests, of so many words, a number whose bits depend on all of theirs; of one word it has an inverse. */
export function identify(digests: usize, words: u32, count: u32, numbers: usize): void {
  const step = (words as usize) << 3;
  for (const end = numbers + ((count as usize) << 3); numbers < end; numbers += 8) {
    let number: u64 = 0;
    for (const next = digests + step; digests < next; digests += 8) number = finish(number ^ load<u64>(digests));
    store<u64>(numbers, number);
  }
}
