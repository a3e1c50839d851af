// Decimal numbers in text, with a fixed number of digits after the point.
//
// Each loop writes the encoded bytes of `count` keys, one key after the other from `to`. It replaces the spans by spans
// of these bytes, or by `NO_KEY` if the text is not such a value. It returns the number of skipped keys.

import { MINUS, PLUS, ZERO } from "./numbers";
import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

const POINT: u8 = 46;

/** The parameters of the loop, as u64s. */
@unmanaged
class Form {
  /** Bytes of a number, at most 64; 0 for as few as possible. */
  bytes: u64;
  /** Whether the highest byte comes first. */
  isBigEndian: u64;
  /** Digits after the point. Missing digits are zeros. */
  scale: u64;
}

/** If the high half is below this limit, ten times the number plus a digit does not reach the sign bit. */
const HIGH_LIMIT: u64 = 0x0ccccccccccccccc;

/** The number that was read, in 128 bits. */
let low: u64 = 0;
let high: u64 = 0;

/** Appends a digit to the number. Returns false if the number would be too large. */
@inline
function append(digit: u64): bool {
  if (high >= HIGH_LIMIT) return false;
  const first = (low & 0xffffffff) * 10 + digit;
  const second = (low >> 32) * 10 + (first >> 32);
  low = (first & 0xffffffff) | (second << 32);
  high = high * 10 + (second >> 32);
  return true;
}

/** Reads the number in [at, end), times 10^scale. Returns false if there is no number, or if it has too many digits. */
function readDecimal(at: usize, end: usize, scale: u64): bool {
  low = 0;
  high = 0;
  const sign: u8 = at < end ? load<u8>(at) : 0;
  if (sign == MINUS || sign == PLUS) at++;
  let digits: u64 = 0;
  let behind: u64 = 0;
  let hasPoint = false;
  for (; at < end; at++) {
    const byte = load<u8>(at);
    const digit = (byte - ZERO) as u64;
    if (byte == POINT && !hasPoint) hasPoint = true;
    else if (digit > 9) return false;
    else {
      digits++;
      if (hasPoint && behind == scale) {
        if (digit) return false;
      } else if (!append(digit)) return false;
      else if (hasPoint) behind++;
    }
  }
  for (; behind < scale; behind++) if (!append(0)) return false;
  if (sign == MINUS) {
    low = 0 - low;
    high = ~high + (low == 0 ? 1 : 0);
  }
  return digits > 0;
}

/** Byte `index` of the number, counted from the lowest byte. */
@inline
function byteOf(index: u64): u8 {
  if (index < 8) return (low >> (index << 3)) as u8;
  return index < 16 ? (high >> ((index - 8) << 3)) as u8 : ((high as i64) >> 63) as u8;
}

/** The fewest bytes that hold the number with its sign. */
@inline
function bytesOfNumber(): u64 {
  const sign = ((high as i64) >> 63) as u8;
  let bytes: u64 = 16;
  while (bytes > 1 && byteOf(bytes - 1) == sign && (byteOf(bytes - 2) ^ sign) < 128) bytes--;
  return bytes;
}

/** Encodes numbers as whole multiples of their last digit, in two's complement. */
export function encodeDecimals(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  const form = changetype<Form>(parameters);
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    const isDecimal = readDecimal(start, start + lengthOf(span), form.scale);
    const least = bytesOfNumber();
    const bytes = form.bytes ? form.bytes : least;
    if (isDecimal && least <= bytes) {
      for (let index: u64 = 0; index < bytes; index++)
        store<u8>(to + ((form.isBigEndian ? bytes - 1 - index : index) as usize), byteOf(index));
      storeSpan(spans, i, to, to + (bytes as usize));
      to += bytes as usize;
    } else {
      storeNoKey(spans, i);
      without++;
    }
  }
  return without;
}

/**
 * Encodes numbers as their shortest text: no leading zeros, no trailing zeros after the point, and no point without
 * digits.
 */
export function encodeDecimalTexts(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    const end = writeShortest(start, start + lengthOf(span), to);
    if (end) {
      storeSpan(spans, i, to, end);
      to = end;
    } else {
      storeNoKey(spans, i);
      without++;
    }
  }
  return without;
}

/** Writes the shortest text of the number in [at, end). Returns its end; 0 if there is no number. */
function writeShortest(at: usize, end: usize, to: usize): usize {
  const sign: u8 = at < end ? load<u8>(at) : 0;
  if (sign == MINUS || sign == PLUS) at++;
  const begin = at;
  while (at < end && (load<u8>(at) - ZERO) <= 9) at++;
  const point = at;
  if (at < end && load<u8>(at) == POINT) at++;
  const fraction = at;
  while (at < end && (load<u8>(at) - ZERO) <= 9) at++;
  const digits = point - begin + (at - fraction);
  if (at < end || digits == 0) return 0;
  let first = begin;
  while (first < point && load<u8>(first) == ZERO) first++;
  let last = at;
  while (last > fraction && load<u8>(last - 1) == ZERO) last--;
  if (sign == MINUS && (first < point || last > fraction)) store<u8>(to++, MINUS);
  if (first == point) store<u8>(to++, ZERO);
  memory.copy(to, first, point - first);
  to += point - first;
  if (last > fraction) {
    store<u8>(to++, POINT);
    memory.copy(to, fraction, last - fraction);
    to += last - fraction;
  }
  return to;
}
