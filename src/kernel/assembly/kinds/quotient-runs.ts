// Tests whether a segment of a quotient filter has a number.
//
// The place of a run cannot be predicted, and a mispredicted branch costs as much as some tens of instructions. So
// nearly all keys take a path without branches.
//
// An attacker can give a file correct checksums. So the runs of a segment never lead out of the segment, whatever they
// say.

import { fraction, scale64 } from "./drafts";
import { lanes, zeroLanes } from "./lanes";
import { Parameters } from "../parameters";
import { BLOCK_SLOTS, blockBytes, endsRun, occupiedAt, rangeOf, remainderAt, runEndsAt, spillAt } from "./quotient-blocks";

/**
 * The most words and slots that are searched for a run. Ordinary keys need about 4 words and 80 slots. Beyond the
 * limits, the answer for chosen keys or forged files is "maybe present", which bounds the time.
 */
const WORDS_LIMIT: u32 = 64;
const SLOTS_LIMIT: u32 = 1024;

/** Digests that are handled together: first whether their quotients have runs, then the runs of those that have. */
const BATCH: u32 = 64;

/** The bits that a word has from any slot that begins in its first byte. */
const WINDOW_BITS: u32 = 57;

/** Tests `count` digests: a byte each, 1 (maybe present) or 0 (absent), at `hits`; returns the number of ones. */
export function quotientTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const blocks = parameters.units as u32;
  const bits = parameters.k as u32;
  const range = rangeOf(blocks, bits);
  const window = (WINDOW_BITS / bits) as u64;
  const ones = lanes(bits, window as u32);
  let found: u32 = 0;
  for (let from: u32 = 0; from < count; from += BATCH) {
    const batch = digests + ((from as usize) << 3);
    const size = min(BATCH, count - from);
    let occupied: u64 = 0;
    for (let i: u32 = 0; i < size; i++) {
      const quotient = (scale64(fraction(load<u64>(batch + ((i as usize) << 3)), segments), range) >> bits) as u32;
      occupied |= ((load<u64>(occupiedAt(segment, quotient >> 6, bits)) >> (quotient & 63)) & 1) << i;
      store<u8>(hits + from + i, 0);
    }
    for (; occupied; occupied &= occupied - 1) {
      const i = ctz(occupied) as u32;
      const value = scale64(fraction(load<u64>(batch + ((i as usize) << 3)), segments), range);
      const hit = isInRun(segment, blocks, bits, window, ones, value) as u32;
      store<u8>(hits + from + i, hit);
      found += hit;
    }
  }
  return found;
}

/**
 * Whether a segment has a number whose quotient has a run. If the run ends in the block of the quotient and is at most
 * `window` long, its remainders are compared at once. `ones` has the lowest bits of their lanes.
 */
@inline
function isInRun(segment: usize, blocks: u32, bits: u32, window: u64, ones: u64, value: u64): bool {
  const quotient = (value >> bits) as u32;
  const remainder = value & (((1 as u64) << bits) - 1);
  const block = quotient >> 6;
  const inBlock = (quotient & 63) as u64;
  const metadata = occupiedAt(segment, block, bits);
  const spill = load<u64>(metadata, 16);
  const ends = load<u64>(metadata, 8) & ((~0 as u64) << spill);
  const later = ends & ((~0 as u64) << inBlock);
  const laterRuns = popcnt(later);
  // The rank of the quotient's run among the runs that end at its slot or later. It is almost never above 4.
  const rank = popcnt(load<u64>(metadata) << (63 - inBlock)) - (popcnt(ends) - laterRuns);
  let rest = select<u64>(later & (later - 1), later, rank > 1);
  rest = select<u64>(rest & (rest - 1), rest, rank > 2);
  rest = select<u64>(rest & (rest - 1), rest, rank > 3);
  if (rank > 4) rest = (1 as u64) << selectBit(later, rank);
  const last = ctz(rest);
  // The run begins after the end of the run before, at its quotient, or where the runs of earlier blocks end.
  const lowest = (((1 as u64) << spill) | ((1 as u64) << inBlock)) >> 1;
  const begin = 64 - clz((ends & ((rest & -rest) - 1)) | lowest);
  const before = last - begin;
  if (spill > 63 || rank - 1 >= laterRuns || before >= window) return isInFarRun(segment, blocks, bits, quotient, remainder);
  const bit = begin * bits;
  const held = load<u64>(segment + (block as usize) * blockBytes(bits) + ((bit >> 3) as usize)) >> (bit & 7);
  const equal = zeroLanes(held ^ (remainder * ones), bits, ones);
  return (equal & (((1 as u64) << ((before + 1) * bits)) - 1)) != 0;
}

/**
 * Like `isInRun`, wherever the run is. A run that does not end within the segment, or not soon, may have any remainder.
 */
function isInFarRun(segment: usize, blocks: u32, bits: u32, quotient: u32, remainder: u64): bool {
  const block = quotient >> 6;
  let rank = popcnt(load<u64>(occupiedAt(segment, block, bits)) << (63 - (quotient & 63))) as u32;
  const spill = load<u64>(spillAt(segment, block, bits));
  if (spill >= ((blocks - block) * BLOCK_SLOTS) as u64) return true;
  const first = block * BLOCK_SLOTS + (spill as u32);
  let word = first >> 6;
  const limit = min(blocks, word + WORDS_LIMIT);
  let ends = load<u64>(runEndsAt(segment, word, bits)) & ((~0 as u64) << (first & 63));
  for (let ones = popcnt(ends) as u32; ones < rank; ones = popcnt(ends) as u32) {
    rank -= ones;
    if (++word == limit) return true;
    ends = load<u64>(runEndsAt(segment, word, bits));
  }
  let slot = word * BLOCK_SLOTS + (selectBit(ends, rank) as u32);
  // The run begins after the end of the run before, at its quotient, or where the runs of earlier blocks end.
  const lowest = max(first, quotient);
  const furthest = slot > SLOTS_LIMIT ? slot - SLOTS_LIMIT : 0;
  let held = remainderAt(segment, slot, bits);
  while (held > remainder && slot > lowest && !endsRun(segment, slot - 1, bits)) {
    if (slot == furthest) return true;
    held = remainderAt(segment, --slot, bits);
  }
  return held == remainder;
}

const EVERY_BYTE: u64 = 0x0101010101010101;
const HIGHEST_BITS: u64 = 0x8080808080808080;

/**
 * The position of the one number `rank` of a word, counted from 1. It comes from the sums of the bytes, and then of the
 * bits of one byte.
 */
@inline
export function selectBit(word: u64, rank: u64): u64 {
  let sums = word - ((word >> 1) & 0x5555555555555555);
  sums = (sums & 0x3333333333333333) + ((sums >> 2) & 0x3333333333333333);
  sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0f) * EVERY_BYTE;
  const byte = ctz(((sums | HIGHEST_BITS) - rank * EVERY_BYTE) & HIGHEST_BITS) & 56;
  const left = rank - (((sums << 8) >> byte) & 0xff);
  // Each bit of the byte becomes the highest bit of its own byte.
  const spread = ((((word >> byte) & 0xff) * EVERY_BYTE) & 0x8040201008040201) + 0x7f7f7f7f7f7f7f7f;
  const bitSums = ((spread >> 7) & EVERY_BYTE) * EVERY_BYTE;
  return byte + (ctz(((bitSums | HIGHEST_BITS) - left * EVERY_BYTE) & HIGHEST_BITS) >> 3);
}
