// Numbers with a fraction or an exponent, as floating-point numbers (IEEE 754).
//
// A whole number below 2^53 and a power of ten up to 10^22 are numbers of 64 bits without an error, and so their product or
// quotient has one rounding, as it should (Clinger 1990). What is longer, or further from 1, is left to the binding.

import { isNegative, isNumber, MINUS, PLUS, readInteger, ZERO } from "./numbers";
import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

/** What the loop is told of numbers. */
@unmanaged
class FloatWidth {
  /** Of a number in the file, 4 or 8. */
  bytes: u64;
  /** The highest byte comes first. */
  isBigEndian: u64;
  /** It is rounded to 32 bits first. */
  isSingle: u64;
  /** There is no -0. */
  hasOneZero: u64;
  /** Address of the u32 indices of keys that are left to the binding, their number first. */
  left: u64;
}

/** What a text is: no number, one that was read, or one that is left to the binding. */
const NO_NUMBER: u32 = 0;
const READ: u32 = 1;
const LEFT: u32 = 2;

/** The number that was read last. */
let number: f64 = 0;

const POWERS: usize = memory.data<f64>([
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
  1e22,
]);
const POWERS_LIMIT: i32 = 22;
const EXACT_LIMIT: u64 = 1 << 53;

/** Digits that 64 bits have room for. */
const DIGITS_LIMIT: u32 = 19;

/** Exponents beyond this are beyond all numbers, however many digits these have. */
const EXPONENT_LIMIT: u64 = 1 << 20;

/** Nobody writes a number with more characters. */
const TEXT_LIMIT: usize = 1 << 16;

const POINT: u8 = 46;
const SMALL_E: u8 = 101;
const SMALL: u8 = 32;

/** Reads a decimal number without a sign, such as 12, .5 or 1.5e-7. */
function readDecimal(at: usize, end: usize): u32 {
  let mantissa: u64 = 0;
  let digits: u32 = 0;
  let exponent: i32 = 0;
  let hasDigits = false;
  let isFraction = false;
  for (; at < end; at++) {
    const byte = load<u8>(at);
    const digit: u8 = byte - ZERO;
    if (digit < 10) {
      hasDigits = true;
      if (digits | digit) digits++;
      mantissa = mantissa * 10 + digit;
      if (isFraction) exponent--;
    } else if (byte == POINT && !isFraction) {
      isFraction = true;
    } else {
      break;
    }
  }
  if (!hasDigits) return NO_NUMBER;
  if (at < end) {
    const power = readInteger(at + 1, end);
    if ((load<u8>(at) | SMALL) != SMALL_E || !isNumber) return NO_NUMBER;
    const moved = min(power, EXPONENT_LIMIT) as i32;
    exponent += isNegative ? -moved : moved;
  }
  if (digits > DIGITS_LIMIT || mantissa > EXACT_LIMIT || abs(exponent) > POWERS_LIMIT) return LEFT;
  const power = load<f64>(POWERS + ((abs(exponent) as usize) << 3));
  number = exponent < 0 ? (mantissa as f64) / power : (mantissa as f64) * power;
  return READ;
}

/** "nan", "inf", and "inity" behind that. */
const NOT_A_NUMBER: u32 = 0x6e616e;
const INFINITE: u32 = 0x666e69;
const INFINITY: u64 = 0x7974696e69;

/** Reads a word that stands for a number, in letters of any case. */
function readWord(at: usize, end: usize): u32 {
  const length = end - at;
  const first = (load<u32>(at) | 0x202020) & 0xffffff;
  const more = (load<u64>(at + 3) | 0x2020202020) & 0xffffffffff;
  const isInfinite = first == INFINITE && (length == 3 || (length == 8 && more == INFINITY));
  if (!isInfinite && (length != 3 || first != NOT_A_NUMBER)) return NO_NUMBER;
  number = isInfinite ? Infinity : NaN;
  return READ;
}

/** Letters have this bit, and no sign, digit or point does. */
const LETTER: u8 = 64;

/** Reads what stands in [start, end). */
@inline
function readNumber(start: usize, end: usize): u32 {
  if (start >= end || end - start > TEXT_LIMIT) return NO_NUMBER;
  const sign = load<u8>(start);
  const at = sign == MINUS || sign == PLUS ? start + 1 : start;
  const found = load<u8>(at) & LETTER ? readWord(at, end) : readDecimal(at, end);
  if (sign == MINUS) number = -number;
  return found;
}

/**
 * Whether a number that was read lies in the middle between two of 32 bits: what it was rounded from may be nearer to one of them.
 * Else both are nearest to the same one. All that are read have as many digits as others of 32 bits.
 */
@inline
function isBetween(number: f64): bool {
  return (reinterpret<u64>(number) & 0x1fffffff) == 0x10000000;
}

@inline
function storeNumber(to: usize, number: f64, width: FloatWidth): void {
  // The sign of what is no number is not written.
  const stored = number != number ? NaN : width.hasOneZero ? number + 0 : number;
  if (width.bytes == 8) {
    const bits = reinterpret<u64>(width.isSingle ? (stored as f32 as f64) : stored);
    store<u64>(to, width.isBigEndian ? bswap(bits) : bits);
  } else {
    const bits = reinterpret<u32>(stored as f32);
    store<u32>(to, width.isBigEndian ? bswap(bits) : bits);
  }
}

/**
 * As the loops of integers.ts, but that the bytes of key i are at `to` + 8 i. Keys that are left to the binding keep their spans,
 * which are those of a number.
 */
export function encodeFloats(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  const width = changetype<FloatWidth>(parameters);
  let left = (width.left as usize) + 4;
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++, to += 8) {
    const span = loadSpan(spans, i);
    const found = readNumber(startOf(span), startOf(span) + lengthOf(span));
    if (found == NO_NUMBER) {
      storeNoKey(spans, i);
      without++;
    } else if (found == LEFT || (width.isSingle && isBetween(number))) {
      store<u32>(left, i);
      left += 4;
    } else {
      storeNumber(to, number, width);
      storeSpan(spans, i, to, to + (width.bytes as usize));
    }
  }
  store<u32>(width.left as usize, (((left - (width.left as usize)) >> 2) - 1) as u32);
  return without;
}
