// Converts the bytes of a key in a record to the bytes that are hashed. Spans change; records never do.

import { dropBlanks, skipBlanks } from "../records/blanks";
import { lengthOf, loadSpan, startOf, storeSpan } from "../spans";

/** Removes whitespace around keys from their spans. */
export function trimKeys(spans: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const end = startOf(span) + lengthOf(span);
    const start = skipBlanks(startOf(span), end);
    storeSpan(spans, i, start, dropBlanks(start, end));
  }
}

/** The bytes with bit 5 set in each of 'A' to 'Z'. */
@inline
export function lower(bytes: v128): v128 {
  const upper = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
  return v128.or(bytes, v128.and(upper, i8x16.splat(0x20)));
}

/** The bytes with bit 5 cleared in each of 'a' to 'z'. */
@inline
function upper(bytes: v128): v128 {
  const small = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x61)), i8x16.splat(26));
  return v128.andnot(bytes, v128.and(small, i8x16.splat(0x20)));
}

/**
 * Gives each key its copy with ASCII letters in lower case, and with `isEither` the copy in upper case too, unless the
 * copy equals the key. The copies have the owner of the key, and follow it. The copies are written to `to`. Returns the
 * number of keys with their copies. The function reads and writes up to 15 bytes after the end of a key.
 */
export function addCases(
  spans: usize, owners: usize, count: u32, intoSpans: usize, intoOwners: usize, to: usize, isEither: bool,
): u32 {
  let keys: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const from = startOf(span);
    const length = lengthOf(span);
    const before = keys;
    storeSpan(intoSpans, keys++, from, from + length);
    for (let isUpper = 0; isUpper <= (isEither as i32); isUpper++) {
      for (let at: usize = 0; at < length; at += 16) {
        const bytes = v128.load(from + at);
        v128.store(to + at, isUpper ? upper(bytes) : lower(bytes));
      }
      if (memory.compare(from, to, length) == 0) continue;
      storeSpan(intoSpans, keys++, to, to + length);
      to += length;
    }
    const owner = load<u32>(owners + ((i as usize) << 2));
    for (let key = before; key < keys; key++) store<u32>(intoOwners + ((key as usize) << 2), owner);
  }
  return keys;
}

/**
 * Copies keys to `to`, one after the other, with ASCII letters in lower case. Their spans become those of the copies.
 * The function reads and writes up to 15 bytes after the end of a key.
 */
export function foldKeys(spans: usize, count: u32, to: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const from = startOf(span);
    const length = lengthOf(span);
    for (let at: usize = 0; at < length; at += 16) v128.store(to + at, lower(v128.load(from + at)));
    storeSpan(spans, i, to, to + length);
    to += length;
  }
}
