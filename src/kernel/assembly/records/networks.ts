// Networks: an IPv4 or IPv6 address, or a block of them in CIDR notation (RFC 4632, RFC 4291). An IPv6 address with an
// IPv4 address in it (::ffff:192.0.2.1) is that IPv4 address.

import { dropBlanks, skipBlanks } from "./blanks";

const DOT: u8 = 46;
const SLASH: u8 = 47;
const COLON: u8 = 58;
const PERCENT: u8 = 37;

const V4_BITS: u32 = 32;
const V6_BITS: u32 = 128;
const GROUPS: u32 = 8;

/** The low half of the prefix ::ffff:0:0/96 of IPv4 addresses in IPv6. */
const MAPPED: u64 = 0xffff;
const MAPPED_BITS: u32 = 96;

/** The block that `readNetwork` found: the address, and its length. An IPv4 address is in the low half. */
export let high: u64 = 0;
export let low: u64 = 0;
export let bits: u32 = 0;
export let isV4: bool = false;

/** The address after the text that a function has read; 0 if the text does not have the form. */
let after: usize = 0;

@inline
function isDigit(byte: u8): bool {
  return (byte as u32) - 48 < 10;
}

/** Reads a decimal number without leading zeros. */
@inline
function readNumber(at: usize, end: usize, most: u32): u32 {
  const start = at;
  let number: u32 = 0;
  while (at < end && at - start < 3 && isDigit(load<u8>(at))) number = number * 10 + (load<u8>(at++) as u32) - 48;
  const isNumber = at > start && number <= most && (at - start == 1 || load<u8>(start) != 48);
  after = isNumber ? at : 0;
  return number;
}

/** Reads four numbers with dots between them. */
function readV4(start: usize, end: usize): u32 {
  let address: u32 = 0;
  let at = start;
  for (let i = 0; i < 4; i++) {
    if (i > 0) {
      if (at >= end || load<u8>(at) != DOT) {
        after = 0;
        return 0;
      }
      at++;
    }
    address = (address << 8) | readNumber(at, end, 255);
    if (after == 0) return 0;
    at = after;
  }
  return address;
}

/** The shortest and the longest text of an IPv4 address. */
const SHORTEST: usize = 7;
const LONGEST: usize = 15;

/** What `readPlainV4` returns for any other text. */
export const NOT_PLAIN: u64 = u64.MAX_VALUE;

// The numbers of an address have one to three digits each, in 81 forms. A table has for each form where the digits are,
// four bytes per number, and the least values of numbers without leading zeros, as u32.
const FORMS: usize = 81;
const FORM_BYTES: usize = 32;

/** Bytes of the table of forms. */
export const FORMS_BYTES: u32 = (FORMS * FORM_BYTES) as u32;

/** An index that no byte of a text has. */
const NO_DIGIT: u8 = 255;

/** Writes the table of forms. */
export function writeForms(to: usize): void {
  for (let form: u32 = 0; form < (FORMS as u32); form++, to += FORM_BYTES) {
    let at: u32 = 0;
    for (let i: u32 = 0, left = form; i < 4; i++, left = (left * 3) % 81) {
      const length = left / 27 + 1;
      for (let place: u32 = 0; place < 4; place++) {
        const isDigit = place >= 4 - length;
        store<u8>(to + ((4 * i + place) as usize), isDigit ? ((at + place + length - 4) as u8) : NO_DIGIT);
      }
      store<u32>(to + ((4 * i) as usize), length == 3 ? 100 : length == 2 ? 10 : 0, 16);
      at += length + 1;
    }
  }
}

/**
 * The IPv4 address that is the whole text, without blanks or a length. `readNetwork` reads all forms; this function is
 * for the usual one, and has no branch that depends on the digits. It reads 16 bytes from `start`.
 */
@inline
export function readPlainV4(start: usize, end: usize, forms: usize): u64 {
  const length = end - start;
  if (length - SHORTEST > LONGEST - SHORTEST) return NOT_PLAIN;
  const text = v128.load(start);
  const isIn = ((1 as u32) << (length as u32)) - 1;
  const digits = i8x16.sub(text, i8x16.splat(48));
  let dots = (i8x16.bitmask(i8x16.eq(text, i8x16.splat(DOT))) as u32) & isIn;
  const areDigits = i8x16.bitmask(i8x16.lt_u(digits, i8x16.splat(10))) as u32;
  if (((dots | areDigits) & isIn) != isIn || popcnt(dots) != 3) return NOT_PLAIN;
  const first = ctz(dots);
  dots &= dots - 1;
  const second = ctz(dots);
  dots &= dots - 1;
  const third = ctz(dots);
  const b = second - first - 2;
  const c = third - second - 2;
  const d = (length as u32) - third - 2;
  // Each number has one to three digits. No digits are 2^32 - 1 too many.
  if (max(max(first - 1, b), max(c, d)) > 2) return NOT_PLAIN;
  const form = forms + (((first - 1) * 27 + b * 9 + c * 3 + d) as usize) * FORM_BYTES;
  const placed = i8x16.swizzle(digits, v128.load(form));
  const weights = i8x16(0, 100, 10, 1, 0, 100, 10, 1, 0, 100, 10, 1, 0, 100, 10, 1);
  const ab = i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_low_i8x16_u(placed, weights));
  const cd = i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_high_i8x16_u(placed, weights));
  const numbers = i32x4.add(i32x4.shuffle(ab, cd, 0, 2, 4, 6), i32x4.shuffle(ab, cd, 1, 3, 5, 7));
  const areWrong = v128.or(
    i32x4.gt_u(numbers, i32x4.splat(255)),
    i32x4.lt_u(numbers, v128.load(form, 16)),
  );
  if (v128.any_true(areWrong)) return NOT_PLAIN;
  return i32x4.extract_lane(i8x16.shuffle(numbers, numbers, 12, 8, 4, 0, 12, 8, 4, 0, 12, 8, 4, 0, 12, 8, 4, 0), 0) as u32 as u64;
}

/** The value of a hexadecimal digit; 16 or more for any other byte. */
@inline
function hexOf(byte: u8): u32 {
  if (isDigit(byte)) return (byte as u32) - 48;
  const letter = ((byte | 0x20) as u32) - 97;
  return letter < 6 ? letter + 10 : 16;
}

/** Reads an IPv6 address into `high` and `low`. */
function readV6(start: usize, end: usize): void {
  let at = start;
  let count: u32 = 0;
  /** The groups before the two colons that stand for zeros. */
  let before: u32 = GROUPS;
  let beforeHigh: u64 = 0;
  let beforeLow: u64 = 0;
  high = 0;
  low = 0;
  after = 0;
  while (at < end && load<u8>(at) != SLASH && load<u8>(at) != PERCENT) {
    if (load<u8>(at) == COLON && at + 1 < end && load<u8>(at + 1) == COLON) {
      if (before < GROUPS || count == GROUPS) return;
      before = count;
      beforeHigh = high;
      beforeLow = low;
      high = 0;
      low = 0;
      at += 2;
      continue;
    }
    if (count > 0 && at > start && !(load<u8>(at - 1) == COLON && before == count)) {
      if (load<u8>(at) != COLON) return;
      at++;
    }
    const groupStart = at;
    let group: u32 = 0;
    while (at < end && at - groupStart < 5 && hexOf(load<u8>(at)) < 16) group = (group << 4) | hexOf(load<u8>(at++));
    if (at == groupStart || at - groupStart > 4 || count == GROUPS) return;
    if (at < end && load<u8>(at) == DOT) {
      group = readV4(groupStart, end);
      if (after == 0 || count + 2 > GROUPS) {
        after = 0;
        return;
      }
      at = after;
      after = 0;
      high = (high << 32) | (low >> 32);
      low = (low << 32) | (group as u64);
      count += 2;
      if (at < end && load<u8>(at) != SLASH && load<u8>(at) != PERCENT) return;
      break;
    }
    high = (high << 16) | (low >> 48);
    low = (low << 16) | (group as u64);
    count++;
  }
  if (before == GROUPS ? count != GROUPS : count == GROUPS) return;
  if (before < GROUPS && before > 0) {
    const shift = 16 * ((GROUPS - before) as u64);
    high |= shift >= 64 ? beforeLow << (shift - 64) : (beforeHigh << shift) | (beforeLow >> (64 - shift));
    low |= shift >= 64 ? 0 : beforeLow << shift;
  }
  if (at < end && load<u8>(at) == PERCENT) {
    // A zone belongs to the machine, not to the address.
    const zone = at + 1;
    for (at = zone; at < end && load<u8>(at) != SLASH; at++) if (load<u8>(at) == PERCENT) return;
    if (at == zone) return;
  }
  after = at;
}

/** Whether a text without a zone is an IPv6 address. */
export function isLongAddress(start: usize, end: usize): bool {
  readV6(start, end);
  return after == end;
}

/** Reads an address or a block. Returns whether the text is one. */
export function readNetwork(from: usize, to: usize): bool {
  const start = skipBlanks(from, to);
  const end = dropBlanks(start, to);
  const address = readV4(start, end);
  isV4 = after != 0;
  if (isV4) low = address as u64;
  else readV6(start, end);
  if (after == 0) return false;
  const most = isV4 ? V4_BITS : V6_BITS;
  bits = most;
  if (after < end) {
    if (load<u8>(after) != SLASH) return false;
    bits = readNumber(after + 1, end, most);
    if (after != end) return false;
  }
  if (!isV4 && high == 0 && low >> 32 == MAPPED && bits >= MAPPED_BITS) {
    isV4 = true;
    low &= 0xffff_ffff;
    bits -= MAPPED_BITS;
  }
  return true;
}
