// IPv6 addresses inside records. A candidate is a run of hexadecimal digits, colons and dots with two adjacent colons, or with at least
// seven colons. If a letter or `_` is adjacent to an end of the run, that end is cut off up to the nearest colon. So `addr:2001:db8::1`,
// `[::1]:443` and `fe80::1%eth0` have an address, and the time 12:34:56 is not a candidate.

import { equalTo, within } from "./blocks";
import { keyCount, keyLimit, keepKeys, storeKey } from "./keys";
import { isLongAddress } from "./networks";
import { beginning, goOnAt, isAtEnd } from "./tokens";

const DOT: u8 = 46;
const COLON: u8 = 58;
const UNDERSCORE: u8 = 95;

/** The fewest colons of an address that writes all of its groups; the last two may be an IPv4 address. */
const COLONS: u32 = 6;

@inline
function isLetter(byte: u8): bool {
  return ((byte | 0x20) as u32) - 97 < 26;
}

/** Whether a byte is a part of runs. */
@inline
function isOfRun(byte: u8): bool {
  return (byte as u32) - 48 < 11 || byte == DOT || ((byte | 0x20) as u32) - 97 < 6;
}

@inline
function isGlued(byte: u8): bool {
  return byte == UNDERSCORE || isLetter(byte);
}

/** Whether the run [start, end) has two adjacent colons, or as many as an address without these. */
@inline
function isCandidate(start: usize, end: usize): bool {
  let colons: u32 = 0;
  for (let at = start; at < end; at++) {
    if (load<u8>(at) != COLON) continue;
    if (++colons >= COLONS || (at + 1 < end && load<u8>(at + 1) == COLON)) return true;
  }
  return false;
}

/** Whether [start, end) begins with one colon, or with three, of which the first does not belong to an address. */
@inline
function beginsWithColon(start: usize, end: usize): bool {
  if (load<u8>(start) != COLON) return false;
  return load<u8>(start + 1) != COLON || (end - start > 2 && load<u8>(start + 2) == COLON);
}

/** The same for the end. */
@inline
function endsWithColon(start: usize, end: usize): bool {
  if (load<u8>(end - 1) != COLON) return false;
  return load<u8>(end - 2) != COLON || (end - start > 2 && load<u8>(end - 3) == COLON);
}

/** Appends the address in the run [from, to) of the record [start, end). Returns the new number of keys. */
function pushAddress(keys: u32, from: usize, to: usize, start: usize, end: usize, record: u32): u32 {
  // A word that the run continues ends at the next colon. The two colons of `x::1` belong to the word.
  if (from > start && isGlued(load<u8>(from - 1))) {
    while (from < to && load<u8>(from) != COLON) from++;
    from++;
    if (from + 1 >= to || beginsWithColon(from, to)) return keys;
  }
  if (to < end && isGlued(load<u8>(to))) {
    do to--;
    while (to > from && load<u8>(to) != COLON);
    if (to - from < 2 || endsWithColon(from, to)) return keys;
  }
  while (from < to && load<u8>(from) == DOT) from++;
  while (to > from && load<u8>(to - 1) == DOT) to--;
  if (to - from < 2) return keys;
  if (beginsWithColon(from, to)) from++;
  if (to - from >= 2 && endsWithColon(from, to)) to--;
  if (!isCandidate(from, to)) return keys;
  if (!isLongAddress(from, to)) {
    // tcpdump writes the port after a dot.
    do to--;
    while (to > from && load<u8>(to) != DOT);
    if (!isLongAddress(from, to)) return keys;
  }
  storeKey(keys, from, to, record);
  return keys + 1;
}

/** Appends the IPv6 addresses of the record [start, end). Returns false if the keys were full before the last one. */
export function pushLongAddresses(start: usize, end: usize, record: u32): bool {
  const colon = i8x16.splat(COLON);
  let keys = keyCount;
  let next: usize = 0;
  for (let at = beginning(start); at < end; at += 64) {
    let colons = equalTo(at, colon) & within(at, end);
    // An address has two colons or more, but a block may have only the first of them.
    while (colons) {
      const found = at + (ctz(colons) as usize);
      colons &= colons - 1;
      if (found < next) continue;
      if (keys == keyLimit) {
        goOnAt(found);
        keepKeys(keys);
        return false;
      }
      let from = found;
      while (from > start && isOfRun(load<u8>(from - 1))) from--;
      next = found + 1;
      while (next < end && isOfRun(load<u8>(next))) next++;
      keys = pushAddress(keys, from, next, start, end, record);
    }
  }
  keepKeys(keys);
  return isAtEnd();
}
