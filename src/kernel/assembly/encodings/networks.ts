// Networks: an IPv4 or IPv6 address, or a block of them in CIDR notation (RFC 4632, RFC 4291). A block becomes the bytes
// of its first address, highest first, and its length in bits. An IPv6 address with an IPv4 address in it
// (::ffff:192.0.2.1) is that IPv4 address.

import { dropBlanks, skipBlanks } from "../records/blanks";
import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

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
let high: u64 = 0;
let low: u64 = 0;
let bits: u32 = 0;
let isV4: bool = false;

/** The address behind the text that a function has read; 0 if it is not of the form. */
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
    for (at = zone; at < end; at++) if (load<u8>(at) == SLASH || load<u8>(at) == PERCENT) return;
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
function readNetwork(from: usize, to: usize): bool {
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

/** The first bits of a number of 64 bits. */
@inline
function firstBits(number: u64, count: u32): u64 {
  return count == 0 ? 0 : number & (u64.MAX_VALUE << ((64 - count) as u64));
}

/** Writes the block of a length around the address that was read. Returns the address behind it. */
@inline
function storeBlock(to: usize, asV4: bool, length: u32): usize {
  if (asV4) {
    store<u32>(to, bswap((firstBits(low << 32, length) >> 32) as u32));
    store<u8>(to, length as u8, 4);
    return to + 5;
  }
  store<u64>(to, bswap(firstBits(high, min(length, 64 as u32))));
  store<u64>(to, bswap(length > 64 ? firstBits(low, length - 64) : 0), 8);
  store<u8>(to, length as u8, 16);
  return to + 17;
}

// The lengths of blocks, as a header records them: one bit per length from 1 to 32 of IPv4, one per length from 1 to 64
// of IPv6, and one per two lengths from 65 to 128. The bits of length 1 stand for length 0 too.

/** The lengths of all blocks since `clearLengths`. */
export let v4Lengths: u32 = 0;
export let v6Lengths: u64 = 0;
export let v6LongLengths: u32 = 0;

export function clearLengths(): void {
  v4Lengths = 0;
  v6Lengths = 0;
  v6LongLengths = 0;
}

@inline
function noteLength(): void {
  const index = bits == 0 ? 0 : bits - 1;
  if (isV4) v4Lengths |= 1 << index;
  else if (index < 64) v6Lengths |= 1 << (index as u64);
  else v6LongLengths |= 1 << ((index - 64) >> 1);
}

/** Writes the bytes of blocks one after the other, and notes their lengths. Returns the number of texts without a block. */
export function encodeNetworks(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    if (!readNetwork(startOf(span), startOf(span) + lengthOf(span))) {
      storeNoKey(spans, i);
      without++;
      continue;
    }
    noteLength();
    const end = storeBlock(to, isV4, bits);
    storeSpan(spans, i, to, end);
    to = end;
  }
  return without;
}

/** Stores a key, its owner and its bytes. Returns the address behind the bytes. */
@inline
function pushBlock(spans: usize, owners: usize, key: u32, owner: u32, to: usize, asV4: bool, length: u32): usize {
  const end = storeBlock(to, asV4, length);
  storeSpan(spans, key, to, end);
  store<u32>(owners + ((key as usize) << 2), owner);
  return end;
}

/**
 * Finds the blocks of some lengths around each address or block. They are written to `to`, and have the owner of the
 * key. Returns their number.
 */
export function addBlocks(
  spans: usize, owners: usize, count: u32, intoSpans: usize, intoOwners: usize, to: usize,
  v4: u32, v6: u64, v6Long: u32,
): u32 {
  let keys: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    const end = start + lengthOf(span);
    if (!readNetwork(start, end)) continue;
    const owner = load<u32>(owners + ((i as usize) << 2));
    const most = bits;
    if (isV4) {
      for (let left = v4; left; left &= left - 1) {
        const length: u32 = ctz(left) + 1;
        if (length == 1) to = pushBlock(intoSpans, intoOwners, keys++, owner, to, true, 0);
        if (length > most) break;
        to = pushBlock(intoSpans, intoOwners, keys++, owner, to, true, length);
      }
      continue;
    }
    for (let left = v6; left; left &= left - 1) {
      const length: u32 = (ctz(left) as u32) + 1;
      if (length == 1) to = pushBlock(intoSpans, intoOwners, keys++, owner, to, false, 0);
      if (length > most) break;
      to = pushBlock(intoSpans, intoOwners, keys++, owner, to, false, length);
    }
    for (let left = v6Long; left; left &= left - 1) {
      const length: u32 = 65 + 2 * (ctz(left) as u32);
      if (length > most) break;
      to = pushBlock(intoSpans, intoOwners, keys++, owner, to, false, length);
      if (length < most) to = pushBlock(intoSpans, intoOwners, keys++, owner, to, false, length + 1);
    }
  }
  return keys;
}
