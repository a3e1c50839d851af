// Tokens of a record, 64 bytes at a time: a comparison makes one bit mask of the bytes of tokens, and where it changes they begin
// and end. Reads up to 64 bytes past the end of a record.

import { mayHaveAddress, pushAddresses } from "./addresses";
import { inSet, setRows } from "./byte-sets";
import { keyCount, keyLimit, keepKeys, storeKey } from "./keys";

@inline
function maskOf(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    (i8x16.bitmask(a) as u32 as u64) |
    ((i8x16.bitmask(b) as u32 as u64) << 16) |
    ((i8x16.bitmask(c) as u32 as u64) << 32) |
    ((i8x16.bitmask(d) as u32 as u64) << 48)
  );
}

/** The bytes of a block that are not in the set. */
@inline
function outsideSet(at: usize, rows: v128): u64 {
  return ~maskOf(
    inSet(v128.load(at), rows),
    inSet(v128.load(at, 16), rows),
    inSet(v128.load(at, 32), rows),
    inSet(v128.load(at, 48), rows),
  );
}

@inline
function isBetween(bytes: v128, first: i8, last: i8): v128 {
  return v128.and(i8x16.ge_s(bytes, i8x16.splat(first)), i8x16.le_s(bytes, i8x16.splat(last)));
}

/** 255 for each dot, hyphen and underscore, which join what is on both sides of them. */
@inline
function joins(bytes: v128): v128 {
  return v128.or(isBetween(bytes, 45, 46), i8x16.eq(bytes, i8x16.splat(95)));
}

/** The highest bit set for letters, digits and what is not ASCII, which has it itself. */
@inline
function isLetter(bytes: v128): v128 {
  const letters = isBetween(v128.or(bytes, i8x16.splat(32)), 97, 122);
  return v128.or(v128.or(bytes, isBetween(bytes, 48, 57)), letters);
}

@inline
function letters(at: usize): u64 {
  return maskOf(
    isLetter(v128.load(at)),
    isLetter(v128.load(at, 16)),
    isLetter(v128.load(at, 32)),
    isLetter(v128.load(at, 48)),
  );
}

@inline
function joiners(at: usize): u64 {
  return maskOf(
    joins(v128.load(at)),
    joins(v128.load(at, 16)),
    joins(v128.load(at, 32)),
    joins(v128.load(at, 48)),
  );
}

/** The bits of a block below the end of a record. */
@inline
function within(at: usize, end: usize): u64 {
  return end - at < 64 ? ((1 as u64) << ((end - at) as u64)) - 1 : u64.MAX_VALUE;
}

/** Where the tokens of the record are sought on whose keys have to wait; else 0. */
let nextAt: usize = 0;

/** Where a record is begun, or gone on with. */
@inline
function beginning(start: usize): usize {
  const at = nextAt ? nextAt : start;
  nextAt = 0;
  return at;
}

/** Appends what stands between bytes of the set in the record [start, end); false if the keys were full before its last token. */
export function pushTokens(start: usize, end: usize, record: u32): bool {
  const rows = setRows();
  const room = keyLimit - 64;
  let keys = keyCount;
  let token: usize = 0;
  let inside: u64 = 0;
  // The block at the end has none of its bytes, and ends the last token.
  for (let at = beginning(start); at <= end; at += 64) {
    if (keys > room) {
      nextAt = inside ? token : at;
      break;
    }
    const bytes = outsideSet(at, rows) & within(at, end);
    const before = (bytes << 1) | inside;
    let starts = bytes & ~before;
    let ends = before & ~bytes;
    if (!inside) {
      token = at + (ctz(starts) as usize);
      starts &= starts - 1;
    }
    while (ends) {
      storeKey(keys++, token, at + (ctz(ends) as usize), record);
      ends &= ends - 1;
      token = at + (ctz(starts) as usize);
      starts &= starts - 1;
    }
    inside = bytes >> 63;
  }
  keepKeys(keys);
  return nextAt == 0;
}

@inline
function isJoiner(byte: u8): bool {
  return byte == 46 || byte == 45 || byte == 95;
}

/** Joiners that a word has at least if it is more than an address, and dots of these that have digits on both sides. */
const JOINERS_BESIDE_ADDRESS: u64 = 4;
const DOTS_OF_ADDRESS: u64 = 3;

@inline
function digits(at: usize): u64 {
  return maskOf(
    isBetween(v128.load(at), 48, 57),
    isBetween(v128.load(at, 16), 48, 57),
    isBetween(v128.load(at, 32), 48, 57),
    isBetween(v128.load(at, 48), 48, 57),
  );
}

@inline
function dots(at: usize): u64 {
  const dot = i8x16.splat(46);
  return maskOf(
    i8x16.eq(v128.load(at), dot),
    i8x16.eq(v128.load(at, 16), dot),
    i8x16.eq(v128.load(at, 32), dot),
    i8x16.eq(v128.load(at, 48), dot),
  );
}

/** Dots of a block between digits; what is beside the block may be one. */
function dotsInNumbers(at: usize): u64 {
  const number = digits(at);
  return popcnt(dots(at) & ((number << 1) | 1) & ((number >> 1) | ((1 as u64) << 63)));
}

/**
 * Appends the words of the record [start, end), and the addresses that are in them; false if the keys were full before the last
 * one. A word has letters, digits, what is not ASCII and, inside, dots, hyphens and underscores.
 */
export function pushWords(start: usize, end: usize, record: u32): bool {
  const room = keyLimit - 64;
  let keys = keyCount;
  let word: usize = 0;
  let inside: u64 = 0;
  let joined: u64 = 0;
  let joinersBefore: u64 = 0;
  let dotsBefore: u64 = 0;
  for (let at = beginning(start); at <= end; at += 64) {
    if (keys > room) {
      nextAt = inside ? word : at;
      break;
    }
    const valid = within(at, end);
    const joining = joiners(at) & valid;
    let bytes = (letters(at) & valid) | joining;
    // Joiners that begin a run of bytes are before a word: a carry goes through them.
    const leading = joining & ~((bytes << 1) | inside);
    bytes &= ~(joining & ~(joining + leading));
    const before = (bytes << 1) | inside;
    let starts = bytes & ~before;
    let ends = before & ~bytes;
    if (!inside) {
      word = at + (ctz(starts) as usize);
      starts &= starts - 1;
    }
    const joinersHere = popcnt(joining);
    let dotsHere = joinersHere;
    let mayHave = joinersHere + joinersBefore >= JOINERS_BESIDE_ADDRESS;
    if (mayHave) {
      dotsHere = dotsInNumbers(at);
      mayHave = dotsHere + dotsBefore >= DOTS_OF_ADDRESS;
    }
    // Words that end with joiners, may have an address in them or began long ago are looked at one by one.
    const isPlain = (ends & ((joining << 1) | joined)) == 0 && !mayHave && (inside == 0 || at - word <= 64);
    if (isPlain) {
      while (ends) {
        storeKey(keys++, word, at + (ctz(ends) as usize), record);
        ends &= ends - 1;
        word = at + (ctz(starts) as usize);
        starts &= starts - 1;
      }
    } else {
      while (ends) {
        let wordEnd = at + (ctz(ends) as usize);
        while (isJoiner(load<u8>(wordEnd - 1))) wordEnd--;
        storeKey(keys++, word, wordEnd, record);
        if (mayHaveAddress(word, wordEnd)) keys = pushAddresses(keys, word, wordEnd, record);
        ends &= ends - 1;
        word = at + (ctz(starts) as usize);
        starts &= starts - 1;
      }
    }
    inside = bytes >> 63;
    joined = joining >> 63;
    joinersBefore = joinersHere;
    dotsBefore = dotsHere;
  }
  keepKeys(keys);
  return nextAt == 0;
}
