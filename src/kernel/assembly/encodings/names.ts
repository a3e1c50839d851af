// Domain names. Lists and logs write names in several ways, and all of them become one: without blanks, dots and "*." before the name,
// without blanks and dots after it, and in lower case.

import { isBlank } from "../records/blanks";
import { lower } from "./encode";
import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

const DOT: u8 = 46;
/** The bytes of "*." as one number. */
const ANY: u16 = 0x2e2a;

/** The bytes of a name, at most (RFC 1035, without the root). Longer suffixes are not looked up. */
const LONGEST: usize = 253;

/** The name that `findName` found. */
let nameStart: usize = 0;
let nameEnd: usize = 0;

@inline
function isBetween(byte: u8): bool {
  return byte == DOT || isBlank(byte);
}

/** Finds the name in the text [start, end). The name is empty if there is none. The name of a name is the name itself. */
@inline
function findName(start: usize, end: usize): void {
  let at = start;
  let to = end;
  while (to > at && isBetween(load<u8>(to - 1))) to--;
  while (at < to) {
    if (isBetween(load<u8>(at))) at++;
    else if (to - at >= 2 && load<u16>(at) == ANY) at += 2;
    else break;
  }
  nameStart = at;
  nameEnd = to;
}

/** Writes names one after the other. Returns the number of texts without a name. */
export function encodeNames(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    findName(startOf(span), startOf(span) + lengthOf(span));
    const length = nameEnd - nameStart;
    if (length == 0) {
      storeNoKey(spans, i);
      without++;
      continue;
    }
    for (let at: usize = 0; at < length; at += 16) v128.store(to + at, lower(v128.load(nameStart + at)));
    storeSpan(spans, i, to, to + length);
    to += length;
  }
  return without;
}

/** The bytes of all suffixes that the last call of `splitSuffixes` found. */
export let suffixBytes: usize = 0;

/**
 * Splits each key into its name and the parent domains of the name, which keep the owner of the key. With `keepsText`, a key that is not
 * written as its name is also looked up as it is written. A key gives at most 129 of them. Returns their number. The function reads up to
 * 16 bytes after the end of a key.
 */
export function splitSuffixes(
  spans: usize, owners: usize, count: u32, intoSpans: usize, intoOwners: usize, keepsText: bool,
): u32 {
  const dots = i8x16.splat(DOT);
  let found: u32 = 0;
  let bytes: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const owner = load<u32>(owners + ((i as usize) << 2));
    const textEnd = startOf(span) + lengthOf(span);
    const before = found;
    findName(startOf(span), textEnd);
    const start = nameStart;
    const end = nameEnd;
    if (keepsText && (end - start != lengthOf(span) || start == end)) {
      storeSpan(intoSpans, found++, startOf(span), textEnd);
      bytes += lengthOf(span);
    }
    if (start < end) {
      storeSpan(intoSpans, found++, start, end);
      bytes += end - start;
    }
    for (let at = end - start > LONGEST ? end - LONGEST : start; at < end; at += 16) {
      let mask = i8x16.bitmask(i8x16.eq(v128.load(at), dots)) as u32;
      while (mask) {
        const suffix = at + (ctz(mask) as usize) + 1;
        mask &= mask - 1;
        if (suffix >= end) break;
        if (load<u8>(suffix) == DOT) continue;
        storeSpan(intoSpans, found++, suffix, end);
        bytes += end - suffix;
      }
    }
    for (let key = before; key < found; key++) store<u32>(intoOwners + ((key as usize) << 2), owner);
  }
  suffixBytes = bytes;
  return found;
}
