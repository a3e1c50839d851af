// Decimal numbers with a fraction or an exponent, as floating-point numbers (IEEE 754).
//
// A whole number below 2^53 and a power of ten up to 10^22 are exact in 64 bits. So their product or quotient is
// rounded only once, and correctly (Clinger 1990). The binding reads longer numbers and larger exponents.

import { isNegative, isNumber, MINUS, PLUS, readInteger, ZERO } from "./numbers";
import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

/** The parameters of the loop. */
@unmanaged
class FloatWidth {
  /** Bytes of a number in the file: 4 or 8. */
  bytes: u64;
  /** Whether the highest byte comes first. */
  isBigEndian: u64;
  /** Whether the number is rounded to 32 bits first. */
  isSingle: u64;
  /** Whether 0 replaces -0. */
  hasOneZero: u64;
  /** The address of the u32 indices of keys that the binding must read. The first u32 is their number. */
  left: u64;
}

/** The results of a read: not a number, a number, or a number for the binding. */
const NO_NUMBER: u32 = 0;
const READ: u32 = 1;
const LEFT: u32 = 2;

/** The last number that was read. */
let number: f64 = 0;

const POWERS: usize = memory.data<f64>([
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
  1e22,
]);
const POWERS_LIMIT: i32 = 22;
const EXACT_LIMIT: u64 = 1 << 53;

/** The most decimal digits that fit 64 bits. */
const DIGITS_LIMIT: u32 = 19;

/** Larger exponents are outside the range of all numbers, for any number of digits. */
const EXPONENT_LIMIT: u64 = 1 << 20;

/** Longer texts are not accepted as numbers. */
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

/** "nan", "inf", and the "inity" of "infinity". */
const NOT_A_NUMBER: u32 = 0x6e616e;
const INFINITE: u32 = 0x666e69;
const INFINITY: u64 = 0x7974696e69;

/** Reads a word that stands for a number, in upper or lower case. */
function readWord(at: usize, end: usize): u32 {
  const length = end - at;
  const first = (load<u32>(at) | 0x202020) & 0xffffff;
  const more = (load<u64>(at + 3) | 0x2020202020) & 0xffffffffff;
  const isInfinite = first == INFINITE && (length == 3 || (length == 8 && more == INFINITY));
  if (!isInfinite && (length != 3 || first != NOT_A_NUMBER)) return NO_NUMBER;
  number = isInfinite ? Infinity : NaN;
  return READ;
}

/** Letters have this bit; signs, digits and points do not. */
const LETTER: u8 = 64;

/** Reads the number in [start, end). */
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
 * Whether a 64-bit number lies exactly between two 32-bit numbers. Then the text before its rounding may be nearer to
 * one of the two. Otherwise the text and the number have the same nearest 32-bit number.
 */
@inline
function isBetween(number: f64): bool {
  return (reinterpret<u64>(number) & 0x1fffffff) == 0x10000000;
}

@inline
function storeNumber(to: usize, number: f64, width: FloatWidth): void {
  // The sign of NaN is not written.
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
 * Like the loops of integers.ts, but the bytes of key i are at `to` + 8 i. A key for the binding keeps its span, which
 * has the text of a number.
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
