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

/** The least value of a number of one, two or three digits, in a byte each, the lowest byte for no digits. */
const LEAST_VALUES: u32 = 0x640a0000;

/** What `readPlainV4` returns for any other text. */
export const NOT_PLAIN: u64 = u64.MAX_VALUE;

/** The number of `length` digits at `at`, from 1 to 3. A number with a leading zero, or above 255, sets bits above the lowest 8. */
@inline
function shortNumber(at: usize, length: usize): u32 {
  const digits = load<u32>(at) << ((4 - (length as u32)) << 3);
  const number = ((digits >> 8) & 15) * 100 + ((digits >> 16) & 15) * 10 + ((digits >> 24) & 15);
  const least = (LEAST_VALUES >> ((length as u32) << 3)) & 255;
  return number | (((number < least) as u32) << 10);
}

/**
 * The IPv4 address that is the whole text, without blanks or a length. `readNetwork` reads all forms; this function is
 * for the usual one, and has no branch that depends on the digits. It reads up to 16 bytes from `start`.
 */
@inline
export function readPlainV4(start: usize, end: usize): u64 {
  const length = end - start;
  if (length - SHORTEST > LONGEST - SHORTEST) return NOT_PLAIN;
  const text = v128.load(start);
  const isIn = ((1 as u32) << (length as u32)) - 1;
  let dots = (i8x16.bitmask(i8x16.eq(text, i8x16.splat(DOT))) as u32) & isIn;
  const digits = i8x16.bitmask(i8x16.lt_u(i8x16.sub(text, i8x16.splat(48)), i8x16.splat(10))) as u32;
  if (((dots | digits) & isIn) != isIn || popcnt(dots) != 3) return NOT_PLAIN;
  const first = ctz(dots) as usize;
  dots &= dots - 1;
  const second = ctz(dots) as usize;
  dots &= dots - 1;
  const third = ctz(dots) as usize;
  const secondLength = second - first - 1;
  const thirdLength = third - second - 1;
  const fourthLength = length - third - 1;
  // Each number has one to three digits. No digits are 2^32 - 1 too many.
  if (max(max(first - 1, secondLength - 1), max(thirdLength - 1, fourthLength - 1)) > 2) return NOT_PLAIN;
  const a = shortNumber(start, first);
  const b = shortNumber(start + first + 1, secondLength);
  const c = shortNumber(start + second + 1, thirdLength);
  const d = shortNumber(start + third + 1, fourthLength);
  if ((a | b | c | d) > 255) return NOT_PLAIN;
  return ((a << 24) | (b << 16) | (c << 8) | d) as u64;
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
  if (isV4) {
    high = 0;
    low = address as u64;
  } else readV6(start, end);
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
