// The words of a record, 64 bytes at a time: letters, digits, non-ASCII characters except separators, and, inside a
// word, dots, hyphens and underscores. The addresses inside words are found too. It reads up to 64 bytes after the end
// of a record.

import { mayHaveAddress, pushAddresses } from "./addresses";
import { equalTo, inNumbers, maskOf, within } from "./blocks";
import { pushFreeAddresses } from "./free-addresses";
import { pushLongAddresses } from "./ipv6";
import { keepKeys, keyCount, keyLimit, storeKey } from "./keys";
import { separatorsIn } from "./separators";
import { beginning, goOnAt, isAtEnd } from "./tokens";

// The sort of a byte is the AND of two entries, one for each half of the byte (Mula & Langdale, "SIMD byte lookup"). 1
// or 2 is a joiner, more is part of a word. `-` and `.` have the high half 2, digits 3, letters 4 to 7, `_` 5,
// non-ASCII bytes 8 and more.
const LETTERS_FROM: i8 = 4;

/** The sort of all non-ASCII bytes, and of no other bytes. */
const BEYOND_ASCII: i8 = 64;

@inline
function sortOf(bytes: v128): v128 {
  const lower = i8x16(84, 92, 92, 92, 92, 92, 92, 92, 92, 92, 88, 72, 72, 73, 73, 74);
  const upper = i8x16(0, 0, 1, 4, 8, 18, 8, 16, 64, 64, 64, 64, 64, 64, 64, 64);
  const half = i8x16.splat(15);
  return v128.and(
    i8x16.swizzle(lower, v128.and(bytes, half)),
    i8x16.swizzle(upper, v128.and(i16x8.shr_u(bytes, 4), half)),
  );
}

@inline
function atLeast(sort: i8, a: v128, b: v128, c: v128, d: v128): u64 {
  const below = i8x16.splat(sort - 1);
  return maskOf(i8x16.gt_s(a, below), i8x16.gt_s(b, below), i8x16.gt_s(c, below), i8x16.gt_s(d, below));
}

@inline
function isJoiner(byte: u8): bool {
  return byte == 46 || byte == 45 || byte == 95;
}

/** The fewest joiners of a word with an address and more, and how many of them are dots. */
const JOINERS_BESIDE_ADDRESS: u64 = 4;
const DOTS_OF_ADDRESS: u64 = 3;

/** The bits below the lowest one; all bits if there is none. */
@inline
function belowLowest(bits: u64): u64 {
  return ~bits & (bits - 1);
}

/** Whether a word that begins in a block may have an address and more. */
function mayHaveMore(at: usize, joining: u64, begun: u64, ends: u64): bool {
  let dots = equalTo(at, i8x16.splat(46)) & joining;
  if (popcnt(dots) < DOTS_OF_ADDRESS) return false;
  dots = inNumbers(dots, at);
  if (popcnt(dots) < DOTS_OF_ADDRESS) return false;
  do {
    const below = belowLowest(dots);
    const upTo = belowLowest(ends & ~below);
    const word = upTo & (u64.MAX_VALUE << (63 - clz((begun & below) | 1)));
    if (popcnt(joining & word) >= JOINERS_BESIDE_ADDRESS && popcnt(dots & word) >= DOTS_OF_ADDRESS) return true;
    dots &= ~upTo;
  } while (dots);
  return false;
}

/** Whether IPv6 addresses are found too, and whether words that cannot be an address are not keys. */
let findsLong: bool = false;
let skipsOthers: u32 = 0;

/** The shortest and the longest IPv4 address. */
const SHORTEST_ADDRESS: usize = 7;
const LONGEST_ADDRESS: usize = 15;

/** Sets which addresses are found, and whether other words are keys. */
export function configureAddresses(long: bool, alone: bool): void {
  findsLong = long;
  skipsOthers = alone as u32;
}

/** Stores a word. Returns 1 if it is a key, or 0. */
@inline
function storeWord(key: u32, start: usize, end: usize, record: u32): u32 {
  storeKey(key, start, end, record);
  const isText = ((load<u8>(start) as u32) - 48 > 9) as u32;
  const isOther = isText | ((end - start - SHORTEST_ADDRESS > LONGEST_ADDRESS - SHORTEST_ADDRESS) as u32);
  return (skipsOthers & isOther) ^ 1;
}

/** The words of the record are done, and its IPv6 addresses are not. */
let areWordsDone: bool = false;

/**
 * Appends the words of the record [start, end), and its addresses as configured. Returns false if the keys were full
 * before the last one.
 */
export function pushWords(start: usize, end: usize, record: u32): bool {
  if (!findsLong) return pushOnlyWords(start, end, record);
  if (skipsOthers && !areWordsDone && isAtEnd() && pushFreeAddresses(start, end, record)) return true;
  if (!areWordsDone && !pushOnlyWords(start, end, record)) return false;
  areWordsDone = !pushLongAddresses(start, end, record);
  return !areWordsDone;
}

/** Appends the words of a record, and the IPv4 addresses inside them. */
function pushOnlyWords(start: usize, end: usize, record: u32): bool {
  const limit = keyLimit - 64;
  let keys = keyCount;
  let word: usize = 0;
  let inside: u64 = 0;
  let joined: u64 = 0;
  /** The joiners of the word in which a block begins. */
  let open: u64 = 0;
  let at = beginning(start);
  // The block after the end has no bytes of the record, and so ends the last word.
  do {
    if (keys > limit) {
      goOnAt(inside ? word : at);
      break;
    }
    const a = sortOf(v128.load(at));
    const b = sortOf(v128.load(at, 16));
    const c = sortOf(v128.load(at, 32));
    const d = sortOf(v128.load(at, 48));
    let bytes = atLeast(1, a, b, c, d) & within(at, end);
    // This is almost never the case in a log.
    if (v128.any_true(v128.and(v128.or(v128.or(a, b), v128.or(c, d)), i8x16.splat(BEYOND_ASCII))))
      bytes &= ~separatorsIn(at, start);
    const joining = bytes & ~atLeast(LETTERS_FROM, a, b, c, d);
    // Joiners at the start of a run of bytes come before a word. A carry passes through them.
    const leading = joining & ~((bytes << 1) | inside);
    bytes &= ~(joining & ~(joining + leading));
    const before = (bytes << 1) | inside;
    const begun = bytes & ~before;
    let starts = begun;
    let ends = before & ~bytes;
    let first = word;
    if (!inside) {
      first = at + (ctz(starts) as usize);
      starts &= starts - 1;
    }
    const joiners = open + popcnt(joining);
    let isPlain = (ends & ((joining << 1) | joined)) == 0;
    if (joiners >= JOINERS_BESIDE_ADDRESS) {
      const mayBeOpen = inside && mayHaveAddress(word, at + (ctz(ends) as usize));
      isPlain = isPlain && !mayBeOpen && !mayHaveMore(at, joining, begun, ends);
    }
    // Words that end with joiners, or may have an address and more, are handled one by one.
    if (isPlain) {
      while (ends) {
        keys += storeWord(keys, first, at + (ctz(ends) as usize), record);
        ends &= ends - 1;
        first = at + (ctz(starts) as usize);
        starts &= starts - 1;
      }
    } else {
      while (ends) {
        let wordEnd = at + (ctz(ends) as usize);
        while (isJoiner(load<u8>(wordEnd - 1))) wordEnd--;
        keys += storeWord(keys, first, wordEnd, record);
        if (mayHaveAddress(first, wordEnd)) keys = pushAddresses(keys, first, wordEnd, record);
        ends &= ends - 1;
        first = at + (ctz(starts) as usize);
        starts &= starts - 1;
      }
    }
    inside = bytes >> 63;
    joined = joining >> 63;
    open = joiners;
    if (begun) {
      const last = 63 - clz(begun);
      word = at + (last as usize);
      open = popcnt(joining >> last);
    }
    open *= inside;
    at += 64;
  } while (at <= end);
  keepKeys(keys);
  return isAtEnd();
}
