// The addresses of records whose other words are not keys. Almost all records have only addresses that are words of
// their own, or no address. These are found here without the other words, and words.ts handles the remaining records.

import { equalTo, inNumbers, isDigit, within } from "./blocks";
import { keepKeys, keyCount, keyLimit, storeKey } from "./keys";

const DOT: u8 = 46;
const COLON: u8 = 58;
const HYPHEN: u8 = 45;
const UNDERSCORE: u8 = 95;

const DOTS: u32 = 3;

/** The fewest colons of an IPv6 address without two adjacent ones; ipv6.ts has the rules. */
const COLONS: u32 = 6;

/** The fewest bytes of an address and the separator after it, as a shift. */
const LOG_SHORTEST: usize = 3;

@inline
function isNumeral(byte: u8): bool {
  return (byte as u32) - 48 < 10;
}

@inline
function isOfRun(byte: u8): bool {
  return isNumeral(byte) || byte == DOT;
}

/** Whether a byte separates words and can be no part of one. Non-ASCII characters may be either. */
@inline
function separates(byte: u8): bool {
  const isLetter = ((byte | 0x20) as u32) - 97 < 26;
  return byte < 128 && !isLetter && !isOfRun(byte) && byte != HYPHEN && byte != UNDERSCORE;
}

/**
 * Appends the IPv4 addresses of the record [start, end). Returns false, and appends nothing, if the record may have an
 * IPv6 address or an address inside a word, or if the keys might be full before the last one.
 */
export function pushFreeAddresses(start: usize, end: usize, record: u32): bool {
  let keys = keyCount;
  if (keys + (((end - start) >> LOG_SHORTEST) as u32) + 1 > keyLimit) return false;
  let next = start;
  let colonCount: u32 = 0;
  let wasColon: u64 = 0;
  for (let at = start; at < end; at += 64) {
    const isIn = within(at, end);
    const colons = equalTo(at, i8x16.splat(COLON)) & isIn;
    if (colons) {
      colonCount += popcnt(colons) as u32;
      if (colonCount >= COLONS || (colons & ((colons << 1) | wasColon)) != 0) return false;
    }
    wasColon = colons >> 63;
    let dots = equalTo(at, i8x16.splat(DOT)) & isIn;
    if (dots == 0) continue;
    dots = inNumbers(dots, at);
    while (dots) {
      const dot = at + (ctz(dots) as usize);
      dots &= dots - 1;
      if (dot < next) continue;
      let from = dot;
      while (from > next && isNumeral(load<u8>(from - 1))) from--;
      // An address lies in a run of digits and dots. A run of fewer dots has none, whatever surrounds it.
      const text = v128.load(from);
      const ofDots = i8x16.bitmask(i8x16.eq(text, i8x16.splat(DOT))) as u32;
      const ofRun = ofDots | (i8x16.bitmask(isDigit(text)) as u32);
      const length = min(ctz(~ofRun) as usize, end - from);
      let count = popcnt(ofDots & ((1 << (length as u32)) - 1));
      next = from + length;
      if (length == 16) {
        for (; next < end && isOfRun(load<u8>(next)); next++) count += (load<u8>(next) == DOT) as u32;
        if (count >= DOTS) return false;
      }
      if (count < DOTS) continue;
      const isFree = (from == start || separates(load<u8>(from - 1))) && (next == end || separates(load<u8>(next)));
      if (count > DOTS || !isFree) return false;
      storeKey(keys++, from, next, record);
    }
  }
  keepKeys(keys);
  return true;
}
