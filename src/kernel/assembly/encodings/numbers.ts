// Whole numbers in decimal.

export const MINUS: u8 = 45;
export const PLUS: u8 = 43;
export const ZERO: u8 = 48;

/** Eight digits 0. */
const ZEROS: u64 = 0x3030303030303030;

/** Whether eight bytes are digits. The high half of each byte must be 3, and must stay 3 if 6 is added. */
@inline
function areDigits(bytes: u64): bool {
  const upper: u64 = 0xf0f0f0f0f0f0f0f0;
  return (bytes & upper) == ZEROS && ((bytes + 0x0606060606060606) & upper) == ZEROS;
}

/**
 * The number of eight digits, with the first digit in the lowest byte. Neighbours are joined to pairs, fours and
 * eights.
 */
@inline
function numberOf(digits: u64): u64 {
  const pairs = ((digits & 0x0f0f0f0f0f0f0f0f) * (10 * 0x100 + 1)) >> 8;
  const fours = ((pairs & 0x00ff00ff00ff00ff) * (100 * 0x10000 + 1)) >> 16;
  return ((fours & 0x0000ffff0000ffff) * (10000 * 0x100000000 + 1)) >> 32;
}

/** The digits of the largest 64-bit number before its last eight digits. */
const LARGEST_HEAD: u64 = u64.MAX_VALUE / 100000000;

/** Whether the last `readDigits` found only digits, at least one, of a number that fits 64 bits. */
export let isNumber: bool = false;

/** The number whose digits are [at, end). The function reads up to 7 bytes after the end. */
export function readDigits(at: usize, end: usize): u64 {
  isNumber = false;
  if (at >= end) return 0;
  while (at + 1 < end && load<u8>(at) == ZERO) at++;
  let value: u64 = 0;
  // The first digits, if fewer than eight, are padded with zeros before them.
  const rest = (end - at) & 7;
  if (rest) {
    const missing = ((8 - rest) << 3) as u64;
    const digits = (load<u64>(at) << missing) | (ZEROS >> (64 - missing));
    if (!areDigits(digits)) return 0;
    value = numberOf(digits);
    at += rest;
  }
  for (; at < end; at += 8) {
    const digits = load<u64>(at);
    if (!areDigits(digits) || value > LARGEST_HEAD) return 0;
    const tail = numberOf(digits);
    value = value * 100000000 + tail;
    if (value < tail) return 0;
  }
  isNumber = true;
  return value;
}

/** Whether the last `readInteger` found a minus sign. */
export let isNegative: bool = false;

/** The magnitude of the whole number in [start, end), which may have a sign. */
@inline
export function readInteger(start: usize, end: usize): u64 {
  const sign: u8 = start < end ? load<u8>(start) : 0;
  isNegative = sign == MINUS;
  return readDigits(isNegative || sign == PLUS ? start + 1 : start, end);
}
