// Filters with one part per range of keys, as in sorted tables. A digest tells in which part the positions of a key
// are.
//
// Such a digest has three words: the hash; the first bit of the part; and a word with the bits of the part, above them
// k, and in the highest byte further data for the rule.

import { lengthOf, spanAt, startOf } from "../spans";

/** The bytes of a digest. */
export const RANGED_DIGEST: usize = 24;

const BITS_MASK: u64 = (1 << 40) - 1;
const PROBES_MASK: u32 = 0xffff;

@inline
export function firstBitOf(digest: usize): u64 {
  return load<u64>(digest, 8);
}

@inline
export function bitsOf(digest: usize): u64 {
  return load<u64>(digest, 16) & BITS_MASK;
}

@inline
export function probesOf(digest: usize): u32 {
  return ((load<u64>(digest, 16) >> 40) as u32) & PROBES_MASK;
}

@inline
export function extraOf(digest: usize): u64 {
  return load<u64>(digest, 16) >> 56;
}

/** 64-bit numbers in this order, written by src/engine/input/hashing.ts. */
@unmanaged
export class KeyRanges {
  /** The number of separators. There is one range more. */
  count: u64;
  /** The address of the separators, which follow each other in order. */
  separators: u64;
  /**
   * The address of u32 offsets: where each separator begins, from the address of the first, and where the last ends.
   */
  bounds: u64;
  /** The address of the last two words of the digests, per range. */
  parts: u64;
  /** 1 if a key that equals a separator belongs after it, 0 if before it. */
  behind: u64;
  /** 1 if keys are cells of HBase, in the order of their rows and, within a row, of their qualifiers. */
  cells: u64;
}

/** Below 0 if `a` comes before `b` in the order of unsigned bytes, above 0 if it comes after. */
@inline
function compareBytes(a: usize, aLength: usize, b: usize, bLength: usize): i32 {
  const length = min(aLength, bLength);
  let i: usize = 0;
  for (; i + 8 <= length; i += 8) {
    const x = load<u64>(a + i);
    const y = load<u64>(b + i);
    if (x != y) return bswap<u64>(x) < bswap<u64>(y) ? -1 : 1;
  }
  for (; i < length; i++) {
    const difference = (load<u8>(a + i) as i32) - (load<u8>(b + i) as i32);
    if (difference) return difference;
  }
  return (aLength > bLength ? 1 : 0) - (aLength < bLength ? 1 : 0);
}

/** Bytes of a cell before its row, between its row and its qualifier, and after its qualifier. */
const ROW: usize = 2;
const FAMILY: usize = 1;
const CELL_END: usize = 9;

@inline
function rowLength(cell: usize): usize {
  return bswap<u16>(load<u16>(cell)) as usize;
}

function compareCells(a: usize, aLength: usize, b: usize, bLength: usize): i32 {
  const aRow = rowLength(a);
  const bRow = rowLength(b);
  const rows = compareBytes(a + ROW, aRow, b + ROW, bRow);
  if (rows) return rows;
  const aStart = ROW + aRow + FAMILY;
  const bStart = ROW + bRow + FAMILY;
  return compareBytes(a + aStart, aLength - aStart - CELL_END, b + bStart, bLength - bStart - CELL_END);
}

/** The number of separators before a key, which is the number of its range. */
function rangeOf(ranges: KeyRanges, key: usize, length: usize): usize {
  const separators = ranges.separators as usize;
  const bounds = ranges.bounds as usize;
  const behind = ranges.behind as i32;
  const areCells = ranges.cells != 0;
  let from: usize = 0;
  let to = ranges.count as usize;
  while (from < to) {
    const middle = (from + to) >> 1;
    const start = load<u32>(bounds + (middle << 2)) as usize;
    const size = (load<u32>(bounds + (middle << 2), 4) as usize) - start;
    const order = areCells
      ? compareCells(separators + start, size, key, length)
      : compareBytes(separators + start, size, key, length);
    if (order < behind) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Writes the last two words of the digests of keys. */
export function rangeKeys(spans: usize, count: u32, digests: usize, ranges: KeyRanges): void {
  const parts = ranges.parts as usize;
  const isOne = ranges.count == 0;
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const part = parts + ((isOne ? 0 : rangeOf(ranges, startOf(span), lengthOf(span))) << 4);
    store<u64>(digests, load<u64>(part), 8);
    store<u64>(digests, load<u64>(part, 8), 16);
    digests += RANGED_DIGEST;
  }
}
