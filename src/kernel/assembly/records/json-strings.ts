// Strings of JSON (RFC 8259): their ends, and their characters in UTF-8. The functions read up to 16 bytes after the
// end of a record.

import { copyTo } from "./decoded";

const QUOTE: u8 = 34;
const BACKSLASH: u8 = 92;

/** Whether the last string whose end was found has an escape. */
export let hasEscapes: bool = false;

/** The address of the quote that ends a string whose characters begin at `at`; 0 if the string is invalid. */
export function stringEnd(at: usize, end: usize): usize {
  hasEscapes = false;
  while (at < end) {
    const bytes = v128.load(at);
    const special = v128.or(
      i8x16.lt_u(bytes, i8x16.splat(32)),
      v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(BACKSLASH))),
    );
    const mask = i8x16.bitmask(special);
    if (mask == 0) {
      at += 16;
      continue;
    }
    at += ctz(mask) as usize;
    if (at >= end) return 0;
    const byte = load<u8>(at);
    if (byte == QUOTE) return at;
    const length = byte == BACKSLASH ? escapeLength(at + 1, end) : 0;
    if (length == 0) return 0;
    hasEscapes = true;
    at += 1 + length;
  }
  return 0;
}

/** The length of an escape after its backslash; 0 if the escape is invalid. */
function escapeLength(at: usize, end: usize): usize {
  if (at >= end) return 0;
  const letter = load<u8>(at) as u32;
  if (letter == 117) return at + 5 <= end && isHex4(at + 1) ? 5 : 0;
  return isSimple(letter) ? 1 : 0;
}

@inline
function isSimple(letter: u32): bool {
  return (
    letter == 34 || letter == 92 || letter == 47 || letter == 98 || letter == 102 || letter == 110 || letter == 114 || letter == 116
  );
}

/** The value of a hexadecimal digit; above 15 for other characters. */
@inline
function hexValue(digit: u32): u32 {
  const number = digit - 48;
  return number < 10 ? number : (digit | 32) - 97 < 6 ? (digit | 32) - 87 : 16;
}

function isHex4(at: usize): bool {
  for (let i: usize = 0; i < 4; i++) {
    if (hexValue(load<u8>(at + i)) > 15) return false;
  }
  return true;
}

function unit(at: usize): u32 {
  return (
    (hexValue(load<u8>(at)) << 12) | (hexValue(load<u8>(at + 1)) << 8) | (hexValue(load<u8>(at + 2)) << 4) | hexValue(load<u8>(at + 3))
  );
}

/** The character that a simple escape stands for. */
@inline
function meaningOf(letter: u32): u32 {
  if (letter == 98) return 8;
  if (letter == 102) return 12;
  if (letter == 110) return 10;
  if (letter == 114) return 13;
  return letter == 116 ? 9 : letter;
}

/** Writes a character in UTF-8 and returns the address after it. */
function writeCharacter(out: usize, code: u32): usize {
  if (code < 0x80) {
    store<u8>(out, code);
    return out + 1;
  }
  if (code < 0x800) {
    store<u8>(out, 0xc0 | (code >> 6));
    store<u8>(out + 1, 0x80 | (code & 63));
    return out + 2;
  }
  if (code < 0x10000) {
    store<u8>(out, 0xe0 | (code >> 12));
    store<u8>(out + 1, 0x80 | ((code >> 6) & 63));
    store<u8>(out + 2, 0x80 | (code & 63));
    return out + 3;
  }
  store<u8>(out, 0xf0 | (code >> 18));
  store<u8>(out + 1, 0x80 | ((code >> 12) & 63));
  store<u8>(out + 2, 0x80 | ((code >> 6) & 63));
  store<u8>(out + 3, 0x80 | (code & 63));
  return out + 4;
}

/** Replaces half of a surrogate pair, which UTF-8 cannot represent. */
const REPLACEMENT: u32 = 0xfffd;

/** The address after the last escape that was decoded. */
let escapeEnd: usize = 0;

/** The character of an escape \u whose digits begin at `at`, or of two escapes that form a surrogate pair. */
function codeAt(at: usize, end: usize): u32 {
  const high = unit(at);
  escapeEnd = at + 4;
  if (high < 0xd800 || high > 0xdfff) return high;
  if (high > 0xdbff || at + 10 > end || load<u16>(at + 4) != 0x755c) return REPLACEMENT;
  const low = unit(at + 6);
  if (low < 0xdc00 || low > 0xdfff) return REPLACEMENT;
  escapeEnd = at + 10;
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/**
 * Writes the characters of a string [from, to) and returns the address after them. The result is never longer than the
 * string.
 */
export function decodeString(out: usize, from: usize, to: usize): usize {
  while (from < to) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(from), i8x16.splat(BACKSLASH)));
    const plain = min<usize>(mask ? (ctz(mask) as usize) : 16, to - from);
    copyTo(out, from, plain);
    out += plain;
    from += plain;
    if (mask == 0 || from >= to) continue;
    const letter = load<u8>(from + 1) as u32;
    if (letter == 117) {
      out = writeCharacter(out, codeAt(from + 2, to));
      from = escapeEnd;
    } else {
      store<u8>(out++, meaningOf(letter));
      from += 2;
    }
  }
  return out;
}
