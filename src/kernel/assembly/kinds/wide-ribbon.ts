// A ribbon with windows of 256 unknowns (see ribbon.ts), for filters with protected keys. It needs 1.0 to 1.7 % more
// unknowns than equations, where windows of 128 need 4 %. An equation may select an odd number of ones, too: those of
// protected keys do (see verdict.ts).

import { countOf, LIST, numberAt, scale64 } from "./drafts";
import { Parameters } from "../parameters";
import { HEAD, headOf, mix, mixAll, placeOf, TRIALS, tidy, writeHead } from "./static";

const WINDOW: u32 = 256;

/**
 * A system is tested with at least this many random equations. At low rates there are more, 16 x 2^columns, so that those that follow from
 * others add little to the rate. Four per block are the limit, because each takes long.
 */
const LEAST_RANDOM_EQUATIONS: u64 = 4096;

/** Word `i` of the coefficients of a place, except that the first coefficient is always 1. */
@inline
function coefficients(place: u64, i: u64): u64 {
  return mix(place ^ -i);
}

/** The results of `reduce` for an equation that follows from others, or contradicts them. */
const FOLLOWS: usize = 0;
const CONTRADICTS: usize = 1;

/** The address of the right sides of a system, one byte each. Its rows, of 32 bytes, precede them. */
@inline
function oddsAfter(rows: usize, blocks: u32): usize {
  return rows + ((blocks as usize) << 11);
}

/** Discards all equations. Returns the address after them. */
export function clearSystem(rows: usize, blocks: u32): usize {
  const end = oddsAfter(rows, blocks) + ((blocks as usize) << 6);
  memory.fill(rows, 0, end - rows);
  return end;
}

/** Adds the equation of a place to a system. Returns the address of its row, FOLLOWS or CONTRADICTS. */
@inline
function reduce(place: u64, odd: u32, blocks: u32, rows: usize): usize {
  const odds = oddsAfter(rows, blocks);
  let unknown = scale64(place, ((blocks << 6) - WINDOW) as u64) as usize;
  let a = coefficients(place, 0) | 1;
  let b = coefficients(place, 1);
  let c = coefficients(place, 2);
  let d = coefficients(place, 3);
  let row = rows + (unknown << 5);
  for (let held = load<u64>(row); held; held = load<u64>(row)) {
    a ^= held;
    b ^= load<u64>(row, 8);
    c ^= load<u64>(row, 16);
    d ^= load<u64>(row, 24);
    odd ^= load<u8>(odds + unknown);
    while (!a) {
      if (!(b | c | d)) return odd ? CONTRADICTS : FOLLOWS;
      a = b;
      b = c;
      c = d;
      d = 0;
      unknown += 64;
    }
    const zeros = ctz(a);
    unknown += zeros as usize;
    a = (a >> zeros) | ((b << 1) << (63 - zeros));
    b = (b >> zeros) | ((c << 1) << (63 - zeros));
    c = (c >> zeros) | ((d << 1) << (63 - zeros));
    d >>= zeros;
    row = rows + (unknown << 5);
  }
  store<u64>(row, a);
  store<u64>(row, b, 8);
  store<u64>(row, c, 16);
  store<u64>(row, d, 24);
  store<u8>(odds + unknown, odd as u8);
  return row;
}

/**
 * Adds the equations of a list to a system, with the same right side. Returns false if one of them contradicts others, or if it follows
 * from others and `areFree` forbids this.
 */
export function addEquations(list: usize, width: usize, odd: u32, areFree: bool, blocks: u32, rows: usize): bool {
  const end = list + LIST + (countOf(list) as usize) * width;
  for (let at = list + LIST; at < end; at += width) {
    const row = reduce(numberAt(at, width), odd, blocks, rows);
    if (row == CONTRADICTS || (areFree && row == FOLLOWS)) return false;
  }
  return true;
}

/** Whether none of many random equations follows from those of a system. They are not kept. */
function isFree(blocks: u32, columns: u64, rows: usize): bool {
  // They come in ascending order, like the keys, so that their rows are in the cache.
  const randomEquations = max(LEAST_RANDOM_EQUATIONS, min((blocks << 2) as u64, (16 as u64) << columns));
  const step = u64.MAX_VALUE / randomEquations;
  for (let i: u64 = 0; i < randomEquations; i++) {
    // A mix of 0 is 0, so mixed keys never change the number 0. The random equations do not include it.
    const row = reduce(i * step + 1 + scale64(mix(i), step - 1), 0, blocks, rows);
    if (row == FOLLOWS) return false;
    store<u64>(row, 0);
  }
  return true;
}

/** Solves a system from the last unknown to the first, a block at a time. `windows` has 32 bytes per column. */
export function solve(words: usize, blocks: u32, columns: u32, rows: usize, windows: usize): void {
  const odds = oddsAfter(rows, blocks);
  memory.fill(windows, 0, (columns as usize) << 5);
  for (let block = blocks; block-- > 0; ) {
    const first = (block as usize) << 6;
    for (let column: u32 = 0; column < columns; column++) {
      const window = windows + ((column as usize) << 5);
      let a = load<u64>(window);
      let b = load<u64>(window, 8);
      let c = load<u64>(window, 16);
      let d = load<u64>(window, 24);
      // Unknowns that no equation fixes are random, but the same on every machine.
      const free = mix((block as u64) * columns + column + 1);
      for (let i: i32 = 63; i >= 0; i--) {
        const unknown = first + (i as usize);
        const row = rows + (unknown << 5);
        d = (d << 1) | (c >> 63);
        c = (c << 1) | (b >> 63);
        b = (b << 1) | (a >> 63);
        a <<= 1;
        const equation = load<u64>(row);
        const chosen =
          (equation & a) ^ (load<u64>(row, 8) & b) ^ (load<u64>(row, 16) & c) ^ (load<u64>(row, 24) & d);
        const ones = popcnt(chosen) + (load<u8>(odds + unknown) as u64);
        a |= equation ? ones & 1 : (free >> i) & 1;
      }
      store<u64>(window, a);
      store<u64>(window, b, 8);
      store<u64>(window, c, 16);
      store<u64>(window, d, 24);
      store<u64>(words + (((block * columns + column) as usize) << 3), a);
    }
  }
}

/**
 * Makes the segment of a draft, in its place or elsewhere. Returns the number of keys above the limit up to which
 * systems are good.
 */
export function wideRibbonSeal(draft: usize, segment: usize, parameters: Parameters): u32 {
  const limit = parameters.limit as u32;
  const blocks = parameters.units as u32;
  const rows = parameters.scratch as usize;
  const count = tidy(draft, parameters);
  if (count > limit) return count - limit;
  let mixes: u32 = 0;
  const windows = clearSystem(rows, blocks);
  while (!(addEquations(draft, parameters.width as usize, 0, true, blocks, rows) && isFree(blocks, parameters.k, rows))) {
    if (mixes++ == TRIALS) return 1;
    mixAll(draft, parameters);
    clearSystem(rows, blocks);
  }
  writeHead(segment, count, mixes, parameters.width);
  solve(segment + HEAD, blocks, parameters.k as u32, rows, windows);
  return 0;
}

/** Whether the equation of a place selects an even number of ones in each of the columns that begin at `words`. */
@inline
export function accepts(words: usize, place: u64, blocks: u32, columns: u32): bool {
  const start = scale64(place, ((blocks << 6) - WINDOW) as u64) as u32;
  const shift = (start & 63) as u64;
  const back = 63 - shift;
  const a = coefficients(place, 0) | 1;
  const b = coefficients(place, 1);
  const c = coefficients(place, 2);
  const d = coefficients(place, 3);
  const stride = (columns as usize) << 3;
  const begin = words + ((start >> 6) as usize) * stride;
  // The coefficients, shifted to the five blocks that the window touches.
  return areEven(
    begin, stride, columns,
    a << shift, ((a >> 1) >> back) | (b << shift), ((b >> 1) >> back) | (c << shift),
    ((c >> 1) >> back) | (d << shift), (d >> 1) >> back,
  );
}

/** Like `areEven` of ribbon.ts, for five blocks. */
@inline
function areEven(block: usize, stride: usize, columns: u32, a: u64, b: u64, c: u64, d: u64, e: u64): bool {
  const end = block + ((columns & ~1) << 3);
  let at = block;
  if (at < end) {
    const pairA = i64x2.splat(a);
    const pairB = i64x2.splat(b);
    const pairC = i64x2.splat(c);
    const pairD = i64x2.splat(d);
    const pairE = i64x2.splat(e);
    do {
      const stop = min(at + 32, end);
      let odd: u64 = 0;
      for (; at < stop; at += 16) {
        let words = v128.and(v128.load(at), pairA);
        words = v128.xor(words, v128.and(v128.load(at + stride), pairB));
        words = v128.xor(words, v128.and(v128.load(at + 2 * stride), pairC));
        words = v128.xor(words, v128.and(v128.load(at + 3 * stride), pairD));
        words = v128.xor(words, v128.and(v128.load(at + 4 * stride), pairE));
        odd |= popcnt(v128.extract_lane<u64>(words, 0)) | popcnt(v128.extract_lane<u64>(words, 1));
      }
      if (odd & 1) return false;
    } while (at < end);
  }
  if (!(columns & 1)) return true;
  const near = (load<u64>(at) & a) ^ (load<u64>(at + stride) & b) ^ (load<u64>(at + 2 * stride) & c);
  const far = (load<u64>(at + 3 * stride) & d) ^ (load<u64>(at + 4 * stride) & e);
  return !(popcnt(near ^ far) & 1);
}

/**
 * Tests `count` digests. Writes a byte each at `hits`, 1 (maybe present) or 0 (absent), and returns the number of ones.
 */
export function wideRibbonTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const blocks = parameters.units as u32;
  const columns = parameters.k as u32;
  const head = headOf(segment);
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const place = placeOf(load<u64>(digests + ((i as usize) << 3)), segments, head);
    const hit = accepts(segment + HEAD, place, blocks, columns) as u32;
    store<u8>(hits + i, hit);
    found += hit;
  }
  return found;
}
