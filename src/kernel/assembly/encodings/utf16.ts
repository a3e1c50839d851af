// UTF-8 as UTF-16, as in Java's String. U+FFFD replaces invalid UTF-8: a run of bytes that begins a character, or an
// encoded surrogate.

import { lengthOf, loadSpan, startOf, storeSpan } from "../spans";
import { characterEnd, readCharacter } from "../utf8";

/** Writes a character as one or two little-endian units, and returns the address after it. */
@inline
function writeUnits(to: usize, character: u32): usize {
  if (character < 0x10000) {
    store<u16>(to, character as u16);
    return to + 2;
  }
  const above = character - 0x10000;
  store<u32>(to, 0xdc00d800 | (above >> 10) | ((above & 0x3ff) << 16));
  return to + 4;
}

/** The loop is like those of integers.ts. It reads up to 16 bytes after the end of a key and writes up to 32. */
export function encodeUtf16(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    let at = startOf(span);
    const end = at + lengthOf(span);
    const start = to;
    while (at < end) {
      const bytes = v128.load(at);
      v128.store(to, i16x8.extend_low_i8x16_u(bytes));
      v128.store(to, i16x8.extend_high_i8x16_u(bytes), 16);
      const ascii = min<usize>(ctz(i8x16.bitmask(bytes) | 0x10000) as usize, end - at);
      at += ascii;
      to += ascii << 1;
      if (at == end || ascii == 16) continue;
      to = writeUnits(to, readCharacter(at, end, true));
      at = characterEnd();
    }
    storeSpan(spans, i, start, to);
  }
  return 0;
}
