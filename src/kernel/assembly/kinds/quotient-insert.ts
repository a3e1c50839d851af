// The insertion of a number into a segment of a quotient filter. The contents from its slot to the first free slot move
// on by one slot. Invalid runs in a damaged file never lead out of the segment.

import { fraction, scale64 } from "./drafts";
import { Parameters } from "../parameters";
import {
  BLOCK_SLOTS, blockBytes, endsRun, occupiedAt, rangeOf, remainderAt, remainderBit, runEndsAt, spillAt,
} from "./quotient-blocks";
import { selectBit } from "./quotient-runs";

/** The results of `insert`: the number was missing; the number was present; no later slot is free. */
const NEW: u32 = 0;
const KNOWN: u32 = 1;
const NO_SLOT: u32 = 2;

/**
 * Adds those of `count` digests whose byte at `known` is 0, one after the other, if they are not in the segment by
 * then. Writes 1 there for the other digests. Returns `count`, or the index of the first digest without a slot.
 */
export function quotientAddNew(segment: usize, digests: usize, count: u32, known: usize, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const blocks = parameters.units as u32;
  const bits = parameters.k as u32;
  const range = rangeOf(blocks, bits);
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(known + i)) continue;
    const value = scale64(fraction(load<u64>(digests + ((i as usize) << 3)), segments), range);
    const became = insert(segment, blocks, bits, value);
    if (became == NO_SLOT) return i;
    store<u8>(known + i, became);
  }
  return count;
}

function insert(segment: usize, blocks: u32, bits: u32, value: u64): u32 {
  const quotient = (value >> bits) as u32;
  const remainder = value & (((1 as u64) << bits) - 1);
  const occupied = occupiedAt(segment, quotient >> 6, bits);
  const own = (1 as u64) << (quotient & 63);
  const hasRun = (load<u64>(occupied) & own) != 0;
  const end = endOfRuns(segment, blocks, bits, quotient);
  let slot = max(end, quotient);
  if (hasRun) {
    // The run begins after the end of the run before, or at its quotient.
    for (; slot > quotient; slot--) {
      if (slot < end && endsRun(segment, slot - 1, bits)) break;
      const held = remainderAt(segment, slot - 1, bits);
      if (held == remainder) return KNOWN;
      if (held < remainder) break;
    }
  }
  const free = freeFrom(segment, blocks, bits, slot);
  if (free == blocks * BLOCK_SLOTS) return NO_SLOT;
  for (let to = free; to > slot; to--) {
    setRemainder(segment, to, bits, remainderAt(segment, to - 1, bits));
    setEnd(segment, to, bits, endsRun(segment, to - 1, bits));
  }
  setRemainder(segment, slot, bits, remainder);
  setEnd(segment, slot, bits, !hasRun || slot == end);
  if (hasRun && slot == end) setEnd(segment, slot - 1, bits, false);
  store<u64>(occupied, load<u64>(occupied) | own);
  for (let block = (quotient >> 6) + 1; block <= free >> 6; block++) {
    const spill = spillAt(segment, block, bits);
    store<u64>(spill, load<u64>(spill) + 1);
  }
  return NEW;
}

/** The slot after the runs of all quotients up to this one. It may be before the slot of this quotient. */
function endOfRuns(segment: usize, blocks: u32, bits: u32, quotient: u32): u32 {
  const block = quotient >> 6;
  const slots = blocks * BLOCK_SLOTS;
  const spill = load<u64>(spillAt(segment, block, bits));
  if (spill >= (slots - block * BLOCK_SLOTS) as u64) return slots;
  const first = block * BLOCK_SLOTS + (spill as u32);
  let rank = popcnt(load<u64>(occupiedAt(segment, block, bits)) << (63 - (quotient & 63))) as u32;
  if (rank == 0) return first;
  let word = first >> 6;
  let ends = load<u64>(runEndsAt(segment, word, bits)) & ((~0 as u64) << (first & 63));
  for (let ones = popcnt(ends) as u32; ones < rank; ones = popcnt(ends) as u32) {
    rank -= ones;
    if (++word == blocks) return slots;
    ends = load<u64>(runEndsAt(segment, word, bits));
  }
  return word * BLOCK_SLOTS + (selectBit(ends, rank) as u32) + 1;
}

/** The first free slot from a slot on; the number of slots if there is none. */
function freeFrom(segment: usize, blocks: u32, bits: u32, from: u32): u32 {
  const slots = blocks * BLOCK_SLOTS;
  let slot = from;
  while (slot < slots) {
    const end = endOfRuns(segment, blocks, bits, slot);
    if (end <= slot) break;
    slot = end;
  }
  return slot;
}

@inline
function setRemainder(segment: usize, slot: u32, bits: u32, remainder: u64): void {
  const bit = remainderBit(slot, bits);
  const at = segment + ((slot >> 6) as usize) * blockBytes(bits) + (bit >> 3);
  const shift = (bit & 7) as u64;
  const mask = (((1 as u64) << bits) - 1) << shift;
  store<u64>(at, (load<u64>(at) & ~mask) | (remainder << shift));
}

@inline
function setEnd(segment: usize, slot: u32, bits: u32, ends: bool): void {
  const word = runEndsAt(segment, slot >> 6, bits);
  const bit = (slot & 63) as u64;
  store<u64>(word, (load<u64>(word) & ~((1 as u64) << bit)) | ((ends as u64) << bit));
}
