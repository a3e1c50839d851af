// A segment of a quotient filter is made at once from the sorted numbers of its keys. They wait in a draft; see
// drafts.ts.

import { append, countOf, fraction, isOrdered, LIST, order, scale64, setCount } from "./drafts";
import { Parameters } from "../parameters";
import {
  BLOCK_SLOTS, blockBytes, endsRun, occupiedAt, rangeOf, remainderAt, remainderBit, runEndsAt, spillAt, TAIL_SLOTS,
} from "./quotient-blocks";

/** The most copies of a number that are kept. A number with this many copies is never removed. */
const COPIES: u32 = 8;

/** Bytes of a number in a draft. */
const WIDTH: usize = 8;

/** The bit of a removed number. */
const REMOVED: u64 = 0x8000000000000000;

/** Appends the numbers of `count` digests to a draft. Returns the number of digests that did not fit. */
export function quotientAdd(draft: usize, digests: usize, count: u32, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const capacity = parameters.capacity as u32;
  const range = rangeOf(parameters.units as u32, parameters.k as u32);
  for (let i: u32 = 0; i < count; i++) {
    if (countOf(draft) == capacity && !tidy(draft, range, parameters)) return count - i;
    append(draft, scale64(fraction(load<u64>(digests + ((i as usize) << 3)), segments), range), WIDTH);
  }
  return 0;
}

/** A draft with less free space than its capacity divided by 2^FREE_SHIFT would soon have to be tidied again. */
const FREE_SHIFT: u32 = 6;

/**
 * Sorts a draft, and discards removed numbers and excess copies. Returns false if the draft is still full, or nearly
 * full.
 */
function tidy(draft: usize, range: u64, parameters: Parameters): bool {
  const capacity = parameters.capacity as u32;
  const list = draft + LIST;
  let kept: u32 = 0;
  for (let i: u32 = 0, count = countOf(draft); i < count; i++) {
    const value = load<u64>(list + ((i as usize) << 3));
    if (!(value & REMOVED)) store<u64>(list + ((kept++ as usize) << 3), value);
  }
  setCount(draft, kept);
  order(draft, range, WIDTH, parameters.scratch as usize);
  let held: u32 = 0;
  let copies: u32 = 0;
  let previous = REMOVED;
  for (let i: u32 = 0; i < kept; i++) {
    const value = load<u64>(list + ((i as usize) << 3));
    copies = value == previous ? copies + 1 : 1;
    previous = value;
    if (copies <= COPIES) store<u64>(list + ((held++ as usize) << 3), value);
  }
  setCount(draft, held);
  return held + (capacity >> FREE_SHIFT) < capacity;
}

/** Removes the digests that are not absent, one after the other. Returns their number. */
export function quotientRemove(draft: usize, digests: usize, count: u32, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const range = rangeOf(parameters.units as u32, parameters.k as u32);
  if (!isOrdered(draft)) tidy(draft, range, parameters);
  let removed: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const value = scale64(fraction(load<u64>(digests + ((i as usize) << 3)), segments), range);
    if (removeOne(draft, value)) removed++;
  }
  return removed;
}

/**
 * Marks a copy of a number as removed, unless the number has the most copies and its count is unknown. Returns false if
 * the draft lacks the number.
 */
function removeOne(draft: usize, value: u64): bool {
  const list = draft + LIST;
  const count = countOf(draft);
  let low: u32 = 0;
  for (let high = count; low < high; ) {
    const middle = (low + high) >> 1;
    if ((load<u64>(list + ((middle as usize) << 3)) & ~REMOVED) < value) low = middle + 1;
    else high = middle;
  }
  let copies: u32 = 0;
  let last: usize = 0;
  for (; low < count; low++, copies++) {
    const at = list + ((low as usize) << 3);
    const held = load<u64>(at);
    if ((held & ~REMOVED) != value) break;
    if (held == value) last = at;
  }
  if (!last) return false;
  if (copies < COPIES) store<u64>(last, value | REMOVED);
  return true;
}

/**
 * Appends the numbers of a segment with this many blocks and remainder bits to a draft. The segment must have the same
 * range. Returns the number of numbers that did not fit.
 */
export function quotientMerge(draft: usize, segment: usize, blocks: u32, bits: u32, parameters: Parameters): u32 {
  const capacity = parameters.capacity as u32;
  const range = rangeOf(blocks, bits);
  const slots = blocks * BLOCK_SLOTS;
  const quotientBlocks = blocks - TAIL_SLOTS / BLOCK_SLOTS;
  let refused: u32 = 0;
  let slot: u32 = 0;
  for (let block: u32 = 0; block < quotientBlocks; block++) {
    for (let occupied = load<u64>(occupiedAt(segment, block, bits)); occupied; occupied &= occupied - 1) {
      const quotient = block * BLOCK_SLOTS + (ctz(occupied) as u32);
      slot = max(slot, quotient);
      for (let isLast = false; !isLast && slot < slots; slot++) {
        isLast = endsRun(segment, slot, bits);
        const isFull = countOf(draft) == capacity && (refused > 0 || !tidy(draft, range, parameters));
        if (isFull) refused++;
        else append(draft, ((quotient as u64) << bits) | remainderAt(segment, slot, bits), WIDTH);
      }
    }
  }
  return refused;
}

/** Turns a draft into the segment. Returns the number of keys without a slot. */
export function quotientSeal(draft: usize, parameters: Parameters): u32 {
  const blocks = parameters.units as u32;
  const bits = parameters.k as u32;
  const scratch = parameters.scratch as usize;
  tidy(draft, rangeOf(blocks, bits), parameters);
  const bytes = (blocks as usize) * blockBytes(bits);
  memory.fill(scratch, 0, bytes);
  const slots = blocks * BLOCK_SLOTS;
  const count = countOf(draft);
  const mask = ((1 as u64) << bits) - 1;
  let slot: u32 = 0;
  let nextBlock: u32 = 1;
  let previous: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const value = load<u64>(draft + LIST + ((i as usize) << 3));
    const quotient = (value >> bits) as u32;
    for (; nextBlock <= quotient >> 6; nextBlock++) noteSpill(scratch, nextBlock, bits, slot);
    const continues = i > 0 && quotient == previous;
    if (!continues) slot = max(slot, quotient);
    if (slot == slots) return count - i;
    if (continues) flip(runEndsAt(scratch, (slot - 1) >> 6, bits), slot - 1);
    else flip(occupiedAt(scratch, quotient >> 6, bits), quotient);
    flip(runEndsAt(scratch, slot >> 6, bits), slot);
    const bit = remainderBit(slot, bits);
    const at = scratch + ((slot >> 6) as usize) * blockBytes(bits) + (bit >> 3);
    store<u64>(at, load<u64>(at) | ((value & mask) << (bit & 7)));
    previous = quotient;
    slot++;
  }
  for (; nextBlock < blocks; nextBlock++) noteSpill(scratch, nextBlock, bits, slot);
  memory.copy(draft, scratch, bytes);
  return 0;
}

@inline
function noteSpill(segment: usize, block: u32, bits: u32, slot: u32): void {
  const first = block * BLOCK_SLOTS;
  if (slot > first) store<u64>(spillAt(segment, block, bits), (slot - first) as u64);
}

@inline
function flip(word: usize, bit: u32): void {
  store<u64>(word, load<u64>(word) ^ ((1 as u64) << (bit & 63)));
}

/**
 * Writes three numbers of a segment at `found`, u32 each: the used slots, the slots that repeat the slot before, and
 * the slots of the longest cluster. A cluster consists of runs without a gap.
 */
export function quotientFill(segment: usize, parameters: Parameters, found: usize): void {
  const blocks = parameters.units as u32;
  const bits = parameters.k as u32;
  let used: u32 = 0;
  let repeated: u32 = 0;
  let longest: u32 = 0;
  const slots = blocks * BLOCK_SLOTS;
  let slot: u32 = 0;
  let cluster: u32 = 0;
  for (let block: u32 = 0; block < blocks; block++) {
    for (let occupied = load<u64>(occupiedAt(segment, block, bits)); occupied; occupied &= occupied - 1) {
      const quotient = block * BLOCK_SLOTS + (ctz(occupied) as u32);
      if (quotient > slot) {
        slot = quotient;
        cluster = 0;
      }
      const start = slot;
      let previous: u64 = REMOVED;
      for (let isLast = false; !isLast && slot < slots; slot++) {
        const remainder = remainderAt(segment, slot, bits);
        if (remainder == previous) repeated++;
        previous = remainder;
        isLast = endsRun(segment, slot, bits);
      }
      used += slot - start;
      cluster += slot - start;
      longest = max(longest, cluster);
    }
  }
  store<u32>(found, used);
  store<u32>(found, repeated, 4);
  store<u32>(found, longest, 8);
}
