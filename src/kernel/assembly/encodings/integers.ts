// Whole numbers and dates in text, as numbers of a fixed width.
//
// Each loop turns `count` keys into the bytes that are hashed, one key after the other from `to` on, and their spans into those
// of these bytes, or into `NO_KEY` for what is no such value. It returns how many are none. Up to 8 bytes past the end of a key
// are read, and written.

import { NO_DATE, readDate } from "./dates";
import { isNegative, isNumber, readInteger } from "./numbers";
import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

/** What the loops are told of numbers. */
@unmanaged
class Width {
  /** Of a number in the file, up to 8. */
  bytes: u64;
  /** The highest byte comes first. */
  isBigEndian: u64;
  /** The largest number and the smallest, without its sign. */
  most: u64;
  least: u64;
  /** What stands for 0. */
  zero: u64;
}

@inline
function storeNumber(to: usize, number: u64, width: Width): usize {
  const stored = number + width.zero;
  store<u64>(to, width.isBigEndian ? bswap(stored << (64 - 8 * width.bytes)) : stored);
  return to + (width.bytes as usize);
}

/** Whole numbers, with a sign or without. */
export function encodeIntegers(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  const width = changetype<Width>(parameters);
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    const magnitude = readInteger(start, start + lengthOf(span));
    if (isNumber && magnitude <= (isNegative ? width.least : width.most)) {
      const end = storeNumber(to, isNegative ? 0 - magnitude : magnitude, width);
      storeSpan(spans, i, to, end);
      to = end;
    } else {
      storeNoKey(spans, i);
      without++;
    }
  }
  return without;
}

/** Days since 1970, as their number or as a date. */
export function encodeDates(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  const width = changetype<Width>(parameters);
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    const days = readDate(start, start + lengthOf(span));
    if (days != NO_DATE) {
      const end = storeNumber(to, days as u64, width);
      storeSpan(spans, i, to, end);
      to = end;
    } else {
      storeNoKey(spans, i);
      without++;
    }
  }
  return without;
}

const TRUE: u32 = 0x65757274;
const FALS: u32 = 0x736c6166;
const SMALL: u32 = 0x20202020;

/** 1 for true and 0 for false, in letters of any case or as these digits. */
export function encodeBooleans(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    const length = lengthOf(span);
    const letters = load<u32>(start) | SMALL;
    const isTrue = length == 1 ? load<u8>(start) == 49 : length == 4 && letters == TRUE;
    const isFalse = length == 1 ? load<u8>(start) == 48 : length == 5 && letters == FALS && (load<u8>(start + 4) | 0x20) == 0x65;
    if (isTrue || isFalse) {
      store<u8>(to, isTrue ? 1 : 0);
      storeSpan(spans, i, to, to + 1);
      to++;
    } else {
      storeNoKey(spans, i);
      without++;
    }
  }
  return without;
}
