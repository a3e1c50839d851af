// An array of bits in which a key has positions anywhere, or the part of it in this memory. Each position costs a cache
// miss. So keys come in batches with their positions: a short loop has many misses at the same time.
//
// Positions are u64s, equally many per key, one key after the other.

/** 64-bit numbers in this order, written by src/engine/store/bit-array-memory.ts. */
@unmanaged
export class BitArray {
  /** The address of the bits in this memory. */
  address: u64;
  /** The position of the first of these bits in the whole array, a multiple of 64. */
  first: u64;
  /** The number of bits that fit this memory. */
  bits: u64;
  /** The mask that is XORed to positions: 56 if 64-bit words have their highest byte first. */
  flip: u64;
  /**
   * The position here of a one that belongs to no key, in the scratch memory of the thread. Addresses wrap around at
   * the end.
   */
  elsewhere: u64;
}

/** log2 of the bits of a page. */
const PAGE_SHIFT: u64 = 19;

/** Keys whose words are read before the first word is changed. The words stay in the cache until then. */
const GROUP: u32 = 64;

/**
 * Writes at `pages` the pages of the positions, u32 each, if the page's byte at `known` is 0. Returns their number; a
 * page can occur many times. `pages` has space for one more than `count`, the number of positions.
 */
export function bitArrayPages(array: BitArray, positions: usize, count: u32, known: usize, pages: usize): u32 {
  const first = array.first;
  const bits = array.bits;
  let unknown: u32 = 0;
  for (const end = positions + (count << 3); positions < end; positions += 8) {
    const bit = load<u64>(positions) - first;
    if (bit >= bits) continue;
    const page = (bit >> PAGE_SHIFT) as u32;
    store<u32>(pages + (unknown << 2), page);
    unknown += 1 - load<u8>(known + page);
  }
  return unknown;
}

/** Turns positions in the whole array into positions in this memory. Positions outside become the position of a one. */
export function bitArrayLocate(array: BitArray, positions: usize, count: u32): void {
  const first = array.first;
  const bits = array.bits;
  const elsewhere = array.elsewhere;
  for (const end = positions + (count << 3); positions < end; positions += 8) {
    const bit = load<u64>(positions) - first;
    store<u64>(positions, bit < bits ? bit : elsewhere);
  }
}

@inline
function wordOf(address: usize, bit: u64): usize {
  return address + (((bit >> 5) as usize) << 2);
}

@inline
function maskOf(bit: u64): u32 {
  return 1 << (bit as u32);
}

/** Tests keys whose positions are in this memory. Writes a byte each at `hits`, 1 if all their positions are ones. */
export function bitArrayTest(array: BitArray, positions: usize, probes: u32, count: u32, hits: usize): void {
  const address = array.address as usize;
  const flip = array.flip;
  for (const end = hits + count; hits < end; hits++) {
    const next = positions + (probes << 3);
    let hit: u32 = 1;
    for (; positions < next; positions += 8) {
      const bit = load<u64>(positions) ^ flip;
      if (load<u32>(wordOf(address, bit)) & maskOf(bit)) continue;
      hit = 0;
      break;
    }
    positions = next;
    store<u8>(hits, hit);
  }
}

/** Keeps those of `count` keys, u32 each, that have a hit. Returns their number. */
export function bitArrayKeep(keys: usize, hits: usize, count: u32): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(keys + (kept << 2), load<u32>(keys + (i << 2)));
    kept += load<u8>(hits + i);
  }
  return kept;
}

@inline
function add(array: BitArray, positions: usize, probes: u32, count: u32, changes: usize, isShared: bool): u32 {
  const address = array.address as usize;
  const flip = array.flip;
  let sum: u32 = 0;
  for (let from: u32 = 0; from < count; from += GROUP) {
    const to = min(from + GROUP, count);
    const end = positions + ((probes * (to - from)) << 3);
    for (let at = positions; at < end; at += 8) sum += load<u32>(wordOf(address, load<u64>(at) ^ flip));
    for (let i = from; i < to; i++) {
      let changed: u32 = 0;
      for (const next = positions + (probes << 3); positions < next; positions += 8) {
        const bit = load<u64>(positions) ^ flip;
        const word = wordOf(address, bit);
        const mask = maskOf(bit);
        const before = isShared ? atomic.or<u32>(word, mask) : load<u32>(word);
        if (!isShared) store<u32>(word, before | mask);
        changed |= mask & ~before;
      }
      if (changed) store<u8>(changes + i, 1);
    }
  }
  return sum;
}

/**
 * Sets the positions of keys, which are in this memory. Writes 1 at `changes`, a byte per key, if one of its positions
 * was 0. No other thread may work on the array. The result only keeps the compiler from removing the first reads.
 */
export function bitArrayAdd(array: BitArray, positions: usize, probes: u32, count: u32, changes: usize): u32 {
  return add(array, positions, probes, count, changes, false);
}

/** Like `bitArrayAdd`, while other threads do the same. */
export function bitArrayAddShared(array: BitArray, positions: usize, probes: u32, count: u32, changes: usize): u32 {
  return add(array, positions, probes, count, changes, true);
}
