// The homogeneous ribbon filter (Dillinger & Walzer 2021), one per segment. A digest becomes an equation over GF(2)
// with a random window of 128 of the unknowns. The segment is a solution of all equations, in k columns. A member
// solves its equation in every column, a non-member with a chance of one half in each.
//
// If keys crowd, some equations follow from others. Equations of non-members do so too, and these keys are false
// positives. If an equation of the keys or of many random equations follows from others, the keys are mixed and the
// system is made anew. After its head (see static.ts), a segment has blocks of 64 unknowns, with one word per column.

import { countOf, LIST, numberAt, scale64 } from "./drafts";
import { Parameters } from "../parameters";
import { HEAD, headOf, mix, mixAll, placeOf, TRIALS, tidy, writeHead } from "./static";

const WINDOW: u32 = 128;

/** The fewest random equations with which a system is tested. */
const LEAST_RANDOM_EQUATIONS: u32 = 4096;

/** The first unknown of a key's window. `lowOf` and `highOf` are its coefficients; the first is 1. */
@inline
function startOf(place: u64, blocks: u32): u32 {
  return scale64(place, ((blocks << 6) - WINDOW) as u64) as u32;
}

@inline
function lowOf(place: u64): u64 {
  return mix(place) | 1;
}

@inline
function highOf(place: u64): u64 {
  return mix(~place);
}

/**
 * Makes the segment of a draft, in its place or elsewhere. Returns the number of keys above the limit up to which
 * systems are good.
 */
export function ribbonSeal(draft: usize, segment: usize, parameters: Parameters): u32 {
  const limit = parameters.limit as u32;
  const blocks = parameters.units as u32;
  const count = tidy(draft, parameters);
  if (count > limit) return count - limit;
  const rows = parameters.scratch as usize;
  const rowsEnd = rows + ((blocks as usize) << 10);
  let mixes: u32 = 0;
  for (; !reduceAll(draft, parameters.width as usize, blocks, rows, rowsEnd); mixes++) {
    if (mixes == TRIALS) return 1;
    mixAll(draft, parameters);
  }
  writeHead(segment, count, mixes, parameters.width);
  solve(segment + HEAD, blocks, parameters.k as u32, rows, rowsEnd);
  return 0;
}

/**
 * Brings the equations of a draft into echelon form. Returns false if one of them, or a random equation, follows from
 * others.
 */
function reduceAll(draft: usize, width: usize, blocks: u32, rows: usize, rowsEnd: usize): bool {
  memory.fill(rows, 0, rowsEnd - rows);
  const end = draft + LIST + (countOf(draft) as usize) * width;
  for (let at = draft + LIST; at < end; at += width) {
    const place = numberAt(at, width);
    if (!reduce(rows + ((startOf(place, blocks) as usize) << 4), lowOf(place), highOf(place))) return false;
  }
  // The random equations come in ascending order, like the keys, so that their rows are in the cache.
  const randomEquations = max(LEAST_RANDOM_EQUATIONS, blocks << 2) as u64;
  const step = u64.MAX_VALUE / randomEquations;
  for (let i: u64 = 0; i < randomEquations; i++) {
    // A mix of 0 is 0, so mixed keys never change the number 0. The random equations do not include it.
    const place = i * step + 1 + scale64(mix(i), step - 1);
    const row = reduce(rows + ((startOf(place, blocks) as usize) << 4), lowOf(place), highOf(place));
    if (!row) return false;
    store<u64>(row, 0);
  }
  return true;
}

/**
 * Reduces an equation by the equations that begin where it does, until no equation begins there. Returns its row, or 0 if the equation
 * follows from the others.
 */
@inline
function reduce(row: usize, low: u64, high: u64): usize {
  for (let held = load<u64>(row); held; held = load<u64>(row)) {
    low ^= held;
    high ^= load<u64>(row, 8);
    if (!low) {
      if (!high) return 0;
      low = high;
      high = 0;
      row += 64 << 4;
    }
    const zeros = ctz(low);
    row += (zeros as usize) << 4;
    low = (low >> zeros) | ((high << 1) << (63 - zeros));
    high >>= zeros;
  }
  store<u64>(row, low);
  store<u64>(row, high, 8);
  return row;
}

/** Solves the equations from the last unknown to the first, a block at a time. `windows` has 16 bytes per column. */
function solve(segment: usize, blocks: u32, columns: u32, rows: usize, windows: usize): void {
  memory.fill(windows, 0, (columns as usize) << 4);
  for (let block = blocks; block-- > 0; ) {
    const first = rows + ((block as usize) << 10);
    for (let column: u32 = 0; column < columns; column++) {
      const window = windows + ((column as usize) << 4);
      let low = load<u64>(window);
      let high = load<u64>(window, 8);
      // Unknowns that no equation fixes are random, but the same on every machine.
      const free = mix((block as u64) * columns + column + 1);
      for (let i: i32 = 63; i >= 0; i--) {
        const row = first + ((i as usize) << 4);
        high = (high << 1) | (low >> 63);
        low <<= 1;
        const equation = load<u64>(row);
        const bit = equation ? popcnt((equation & low) ^ (load<u64>(row, 8) & high)) & 1 : (free >> i) & 1;
        low |= bit;
      }
      store<u64>(window, low);
      store<u64>(window, high, 8);
      store<u64>(segment + (((block * columns + column) as usize) << 3), low);
    }
  }
}

/**
 * Whether the coefficients select an even number of ones from three blocks, in each column. Up to four columns are
 * tested at a time: a non-member fails in each with a chance of one half, which no processor can predict.
 */
@inline
function areEven(block: usize, stride: usize, columns: u32, a: u64, b: u64, c: u64): bool {
  const pairA = i64x2.splat(a);
  const pairB = i64x2.splat(b);
  const pairC = i64x2.splat(c);
  const end = block + ((columns & ~1) << 3);
  let at = block;
  while (at < end) {
    const stop = min(at + 32, end);
    let odd: u64 = 0;
    for (; at < stop; at += 16) {
      const first = v128.and(v128.load(at), pairA);
      const second = v128.and(v128.load(at + stride), pairB);
      const third = v128.and(v128.load(at + 2 * stride), pairC);
      const words = v128.xor(v128.xor(first, second), third);
      odd |= popcnt(v128.extract_lane<u64>(words, 0)) | popcnt(v128.extract_lane<u64>(words, 1));
    }
    if (odd & 1) return false;
  }
  if (!(columns & 1)) return true;
  const word = (load<u64>(at) & a) ^ (load<u64>(at + stride) & b) ^ (load<u64>(at + 2 * stride) & c);
  return !(popcnt(word) & 1);
}

/** Whether the equation of a place selects an even number of ones in each of the columns that begin at `words`. */
@inline
export function accepts(words: usize, place: u64, blocks: u32, columns: u32): bool {
  const start = startOf(place, blocks);
  const shift = (start & 63) as u64;
  const low = lowOf(place);
  const high = highOf(place);
  // The coefficients, shifted to the three blocks that the window touches.
  const a = low << shift;
  const b = ((low >> 1) >> (63 - shift)) | (high << shift);
  const c = (high >> 1) >> (63 - shift);
  const stride = (columns as usize) << 3;
  return areEven(words + ((start >> 6) as usize) * stride, stride, columns, a, b, c);
}

/**
 * Tests `count` digests. Writes a byte each at `hits`, 1 (maybe present) or 0 (absent), and returns the number of ones.
 */
export function ribbonTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const blocks = parameters.units as u32;
  const columns = parameters.k as u32;
  const head = headOf(segment);
  let found: u32 = 0;
  if (count == 0) return 0;
  let i: u32 = 0;
  do {
    const place = placeOf(load<u64>(digests + ((i as usize) << 3)), segments, head);
    const hit = accepts(segment + HEAD, place, blocks, columns) as u32;
    store<u8>(hits + i, hit);
    found += hit;
  } while (++i < count);
  return found;
}
