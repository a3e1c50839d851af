// The counting Bloom filter (Fan, Cao, Almeida & Broder 2000, "Summary cache"), one per segment. It has counters of 4
// bits, two per byte, with the even counter in the low half. The k counters of a digest are selected like the bits of a
// Bloom filter.
//
// A counter that reaches 15 keeps this value for ever: its count is lost, and a lower value could make a member absent.

import { Parameters } from "../parameters";
import { MULTIPLIER, mix, scale } from "./probes";

const FULL: u32 = 15;

@inline
function shiftOf(counter: usize): u32 {
  return ((counter & 1) << 2) as u32;
}

@inline
function valueOf(segment: usize, counter: usize): u32 {
  return ((load<u8>(segment + (counter >> 1)) as u32) >> shiftOf(counter)) & FULL;
}

/**
 * Adds `by`, 1 or -1, to a counter, unless the counter is full, or 0 already. Two probes of a non-member can meet in
 * one counter.
 */
@inline
function change(segment: usize, counter: usize, by: i32): void {
  const value = valueOf(segment, counter);
  if (value == FULL || (value == 0 && by < 0)) return;
  const at = segment + (counter >> 1);
  store<u8>(at, (load<u8>(at) as i32) + (by << shiftOf(counter)));
}

@inline
function changeAll(segment: usize, counters: u64, k: u32, digest: u64, by: i32): void {
  let x = digest;
  let left = k;
  for (; left >= 2; left -= 2) {
    x *= MULTIPLIER;
    change(segment, scale(x >> 32, counters), by);
    change(segment, scale(x & 0xffffffff, counters), by);
    x = mix(x);
  }
  if (left) change(segment, scale((x * MULTIPLIER) >> 32, counters), by);
}

@inline
function isAbove(segment: usize, counter: usize): bool {
  return valueOf(segment, counter) != 0;
}

/** Whether a digest is in a segment. Two probes are tested at a time, because a branch per probe costs more. */
@inline
function isPresent(segment: usize, counters: u64, k: u32, digest: u64): bool {
  let x = digest;
  let left = k;
  for (; left >= 2; left -= 2) {
    x *= MULTIPLIER;
    const upper = isAbove(segment, scale(x >> 32, counters));
    const lower = isAbove(segment, scale(x & 0xffffffff, counters));
    if (!((upper as u32) & (lower as u32))) return false;
    x = mix(x);
  }
  return !left || isAbove(segment, scale((x * MULTIPLIER) >> 32, counters));
}

/** Adds `count` digests to the segment at `segment`. */
export function countingAdd(segment: usize, digests: usize, count: u32, parameters: Parameters): void {
  const counters = parameters.units;
  const k = parameters.k as u32;
  for (let i: usize = 0; i < (count as usize); i++) changeAll(segment, counters, k, load<u64>(digests + (i << 3)), 1);
}

/**
 * Adds those of `count` digests whose byte at `known` is 0, one after the other, if they are not in the segment by
 * then. Writes 1 there for the other digests.
 */
export function countingAddNew(segment: usize, digests: usize, count: u32, known: usize, parameters: Parameters): void {
  const counters = parameters.units;
  const k = parameters.k as u32;
  for (let i: usize = 0; i < (count as usize); i++) {
    if (load<u8>(known + i)) continue;
    const digest = load<u64>(digests + (i << 3));
    if (isPresent(segment, counters, k, digest)) store<u8>(known + i, 1);
    else changeAll(segment, counters, k, digest, 1);
  }
}

/**
 * Tests `count` digests. Writes a byte each at `hits`, 1 (maybe present) or 0 (absent), and returns the number of ones.
 */
export function countingTest(segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const counters = parameters.units;
  const k = parameters.k as u32;
  let found: u32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    const hit = isPresent(segment, counters, k, load<u64>(digests + (i << 3)));
    store<u8>(hits + i, hit as u8);
    found += hit;
  }
  return found;
}

/** Removes those of `count` digests that are not absent, one after the other. Returns their number. */
export function countingRemove(segment: usize, digests: usize, count: u32, parameters: Parameters): u32 {
  const counters = parameters.units;
  const k = parameters.k as u32;
  let removed: u32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    const digest = load<u64>(digests + (i << 3));
    if (!isPresent(segment, counters, k, digest)) continue;
    changeAll(segment, counters, k, digest, -1);
    removed++;
  }
  return removed;
}

/** Adds the counters of the segment at `from` to the counters at `into`. */
export function countingMerge(into: usize, from: usize, parameters: Parameters): void {
  const low = i8x16.splat(FULL as i8);
  const length = bytesOf(parameters);
  for (let offset: usize = 0; offset < length; offset += 16) {
    const a = v128.load(into + offset);
    const b = v128.load(from + offset);
    const even = i8x16.min_u(i8x16.add(v128.and(a, low), v128.and(b, low)), low);
    const odd = i8x16.min_u(i8x16.add(i8x16.shr_u(a, 4), i8x16.shr_u(b, 4)), low);
    v128.store(into + offset, v128.or(even, i8x16.shl(odd, 4)));
  }
}

/** Writes at `found` the number of counters of a segment that are not 0, and the number of full counters, u32 each. */
export function countingFill(segment: usize, parameters: Parameters, found: usize): void {
  let used: u32 = 0;
  let full: u32 = 0;
  const end = segment + bytesOf(parameters);
  for (let at = segment; at < end; at += 8) {
    const bytes = load<u64>(at);
    used += popcnt((bytes | (bytes >> 1) | (bytes >> 2) | (bytes >> 3)) & 0x1111111111111111) as u32;
    full += popcnt(bytes & (bytes >> 1) & (bytes >> 2) & (bytes >> 3) & 0x1111111111111111) as u32;
  }
  store<u32>(found, used);
  store<u32>(found, full, 4);
}

@inline
function bytesOf(parameters: Parameters): usize {
  return (parameters.units >> 1) as usize;
}
