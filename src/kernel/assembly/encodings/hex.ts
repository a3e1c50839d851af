// Bytes in hexadecimal. The loops are like those of integers.ts. They read up to 32 bytes after the end of a key and
// write up to 8.

import { load4 } from "../hashes/loads";
import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

/** One bit per character of 16: whether it is a hexadecimal digit. */
@inline
export function digitsAmong(text: v128): u32 {
  const decimal = i8x16.lt_u(i8x16.sub(text, i8x16.splat(0x30)), i8x16.splat(10));
  const letters = v128.or(text, i8x16.splat(0x20));
  return i8x16.bitmask(v128.or(decimal, i8x16.lt_u(i8x16.sub(letters, i8x16.splat(0x61)), i8x16.splat(6))));
}

/** The 8 bytes of 16 digits. The value of a letter is 9 more than its low half. */
@inline
function bytesOf(digits: v128): u64 {
  const lower = v128.and(digits, i8x16.splat(15));
  const values = i8x16.add(lower, v128.and(i8x16.gt_u(digits, i8x16.splat(0x39)), i8x16.splat(9)));
  const pairs = v128.and(v128.or(i16x8.shl(values, 4), i16x8.shr_u(values, 8)), i16x8.splat(0xff));
  return i64x2.extract_lane(i8x16.narrow_i16x8_u(pairs, pairs), 0);
}

/** Whether the text begins with "0x" or "0X". */
@inline
function hasPrefix(start: usize, length: usize): bool {
  return length >= 2 && (load<u16>(start) | 0x2000) == 0x7830;
}

/** Encodes hexadecimal digits, two per byte, with an optional 0x before them. */
export function encodeHex(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const isPrefixed = hasPrefix(startOf(span), lengthOf(span));
    const start = isPrefixed ? startOf(span) + 2 : startOf(span);
    const length = isPrefixed ? lengthOf(span) - 2 : lengthOf(span);
    let isHex = (length & 1) == 0;
    for (let at: usize = 0; at < length && isHex; at += 16) {
      const digits = v128.load(start + at);
      const left = length - at;
      const wanted: u32 = left < 16 ? ((1 as u32) << (left as u32)) - 1 : 0xffff;
      isHex = (digitsAmong(digits) & wanted) == wanted;
      store<u64>(to + (at >> 1), bytesOf(digits));
    }
    if (isHex) {
      storeSpan(spans, i, to, to + (length >> 1));
      to += length >> 1;
    } else {
      storeNoKey(spans, i);
      without++;
    }
  }
  return without;
}

/** Characters of a UUID, with hyphens between its groups of 8, 4, 4, 4 and 12 digits, and without hyphens. */
const GROUPED: usize = 36;
const BARE: usize = 32;
const HYPHEN: u8 = 45;

/** Four bytes from each of two addresses. */
@inline
function joined(first: usize, second: usize): u64 {
  return load4(first) | (load4(second) << 32);
}

/** Encodes UUIDs as 16 bytes in the order of their digits (RFC 9562). */
export function encodeUuids(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    const isGrouped =
      lengthOf(span) == GROUPED &&
      load<u8>(start + 8) == HYPHEN && load<u8>(start + 13) == HYPHEN &&
      load<u8>(start + 18) == HYPHEN && load<u8>(start + 23) == HYPHEN;
    let first = v128.load(start);
    let second = v128.load(start + 16);
    if (isGrouped) {
      first = i64x2.replace_lane(first, 1, joined(start + 9, start + 14));
      second = i64x2.splat(joined(start + 19, start + 24));
      second = i64x2.replace_lane(second, 1, load<u64>(start + 28));
    }
    if ((isGrouped || lengthOf(span) == BARE) && (digitsAmong(first) & digitsAmong(second)) == 0xffff) {
      store<u64>(to, bytesOf(first));
      store<u64>(to, bytesOf(second), 8);
      storeSpan(spans, i, to, to + 16);
      to += 16;
    } else {
      storeNoKey(spans, i);
      without++;
    }
  }
  return without;
}
