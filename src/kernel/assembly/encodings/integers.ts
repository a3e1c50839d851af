// Whole numbers and dates in text, as numbers of a fixed width.
//
// Each loop writes the encoded bytes of `count` keys, one key after the other from `to`. It replaces the spans by spans
// of these bytes, or by `NO_KEY` if the text is not such a value. It returns the number of skipped keys. It reads and
// writes up to 8 bytes after the end of a key.

import { NO_DATE, readDate } from "./dates";
import { isNegative, isNumber, readInteger } from "./numbers";
import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

/** The parameters of the loops. */
@unmanaged
class Width {
  /** Bytes of a number in the file, at most 8. */
  bytes: u64;
  /** Whether the highest byte comes first. */
  isBigEndian: u64;
  /** The largest number, and the magnitude of the smallest number. */
  most: u64;
  least: u64;
  /** The number that represents 0. */
  zero: u64;
}

@inline
function storeNumber(to: usize, number: u64, width: Width): usize {
  const stored = number + width.zero;
  store<u64>(to, width.isBigEndian ? bswap(stored << (64 - 8 * width.bytes)) : stored);
  return to + (width.bytes as usize);
}

/** Encodes whole numbers, signed or unsigned. */
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

/** Encodes days since 1970, written as a number or as a date. */
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

/** Encodes true as 1 and false as 0. The text is a word in upper or lower case, or one of these digits. */
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
