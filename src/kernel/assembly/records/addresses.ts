// IPv4 addresses inside words: four numbers with dots between them. Dots or hyphens separate an address from the rest
// of the word, such as a port or a name.

import { storeKey } from "./keys";

const DOT: u8 = 46;
const HYPHEN: u8 = 45;

/** The fewest bytes of a word with an address and more. */
const SHORTEST: usize = 9;
const DOTS: u32 = 3;

/** The most digits of a number. */
const DIGITS: usize = 3;
const NUMBERS: u32 = 4;

/** The most addresses of one word. A block of the scanner has at most this many, and the batch has space for them. */
const MOST: u32 = 29;

/** Whether a word [start, end) has at least the dots of an address, and is long enough for more. */
@inline
export function mayHaveAddress(start: usize, end: usize): bool {
  if (end - start < SHORTEST) return false;
  let dots: u32 = 0;
  for (let at = start; at < end; at += 16) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(DOT))) as u32;
    dots += popcnt(end - at < 16 ? mask & ((1 << ((end - at) as u32)) - 1) : mask);
  }
  return dots >= DOTS;
}

/** The end of the digits at an address. */
@inline
function digitsEnd(at: usize, end: usize): usize {
  while (at < end && (load<u8>(at) as u32) - 48 < 10) at++;
  return at;
}

/** The address after the next dot or hyphen, or after `end`. */
@inline
function nextPiece(at: usize, end: usize): usize {
  while (at < end && load<u8>(at) != DOT && load<u8>(at) != HYPHEN) at++;
  return at + 1;
}

/**
 * Appends the addresses in a word [start, end), unless an address is the whole word. Returns the new number of keys.
 */
export function pushAddresses(keys: u32, start: usize, end: usize, record: u32): u32 {
  const most = keys + MOST;
  // The starts of the last numbers that dots join; the latest is `d`.
  let a: usize = 0;
  let b: usize = 0;
  let c: usize = 0;
  let d: usize = 0;
  let numbers: u32 = 0;
  for (let at = start; at < end && keys < most; ) {
    const numberEnd = digitsEnd(at, end);
    const length = numberEnd - at;
    const after = numberEnd < end ? load<u8>(numberEnd) : HYPHEN;
    if (length == 0 || length > DIGITS || (after != DOT && after != HYPHEN)) {
      numbers = 0;
      at = nextPiece(at, end);
      continue;
    }
    a = b;
    b = c;
    c = d;
    d = at;
    if (++numbers >= NUMBERS && (a > start || numberEnd < end)) storeKey(keys++, a, numberEnd, record);
    if (after == HYPHEN) numbers = 0;
    at = numberEnd + 1;
  }
  return keys;
}
