// UTF-8 as UTF-16, as Java's String has it: of what is no UTF-8, U+FFFD stands for as many bytes as begin a character, and for
// a surrogate that was encoded.

import { lengthOf, loadSpan, startOf, storeSpan } from "../spans";

const REPLACEMENT: u32 = 0xfffd;

/** Bytes that follow the first one of a character; 0 for one that begins none. */
@inline
function followers(lead: u32): u32 {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
}

/** Whether a byte may be the second of a character: not where fewer would do, or where it is beyond the last. */
@inline
function isSecond(lead: u32, byte: u32): bool {
  if (lead == 0xe0) return byte >= 0xa0;
  if (lead == 0xf0) return byte >= 0x90;
  return lead == 0xf4 ? byte < 0x90 : true;
}

/** Where the character that was read last ends. */
let afterCharacter: usize = 0;

/** Where the character ends that `readCharacter` has returned. */
export function characterEnd(): usize {
  return afterCharacter;
}

/** The character at an address, which is not ASCII, or what stands for it. */
export function readCharacter(at: usize, end: usize): u32 {
  const lead = load<u8>(at++) as u32;
  let left = followers(lead);
  let character: u32 = left == 0 ? REPLACEMENT : lead & (0x3f >> left);
  for (; left; left--) {
    const byte: u32 = at < end ? load<u8>(at) : 0;
    const isFirst = left == followers(lead);
    if ((byte & 0xc0) != 0x80 || (isFirst && !isSecond(lead, byte))) {
      character = REPLACEMENT;
      break;
    }
    character = (character << 6) | (byte & 0x3f);
    at++;
  }
  afterCharacter = at;
  return (character & 0xfffff800) == 0xd800 ? REPLACEMENT : character;
}

/** Writes a character, little-endian, as one unit or two, and returns the address past it. */
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

/** As the loops of integers.ts; up to 16 bytes past the end of a key are read, and 32 written. */
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
      to = writeUnits(to, readCharacter(at, end));
      at = afterCharacter;
    }
    storeSpan(spans, i, start, to);
  }
  return 0;
}
