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
function lower(bytes: v128): v128 {
  const upper = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
  return v128.or(bytes, v128.and(upper, i8x16.splat(0x20)));
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
