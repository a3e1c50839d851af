// Bytes as the inside of a JSON string (RFC 8259), as JavaScript writes it: only what must be escaped is. Bytes that are
// no UTF-8 become U+FFFD, one for each maximal part that begins a character (Unicode 16.0, section 3.9.6).

/** Bytes that one can become. */
export const ESCAPE_LIMIT: usize = 6;

const QUOTE: u32 = 34;
const BACKSLASH: u32 = 92;

/** How far the last `writeEscaped` came: to the end, or to a character before it. */
export let escapedTo: usize = 0;

/**
 * Writes the bytes from `from` to `to` at `out`, until it is past `limit`, and returns the address past them. It reads
 * and writes up to 22 bytes too many: both sides have padding.
 */
export function writeEscaped(out: usize, from: usize, to: usize, limit: usize): usize {
  while (from < to && out < limit) {
    const bytes = v128.load(from);
    v128.store(out, bytes);
    // Control characters, and what is not ASCII: as signed numbers these are negative.
    const special = v128.or(
      i8x16.lt_s(bytes, i8x16.splat(32)),
      v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE as i8)), i8x16.eq(bytes, i8x16.splat(BACKSLASH as i8))),
    );
    const left = min<usize>(to - from, 16);
    const plain = min<usize>(ctz(i8x16.bitmask(special) | 0x10000) as usize, left);
    from += plain;
    out += plain;
    if (plain == left) continue;
    const byte = load<u8>(from) as u32;
    if (byte < 128) {
      out = writeEscape(out, byte);
      from++;
      continue;
    }
    const length = characterAt(from, to);
    if (length > 0) {
      for (let i: usize = 0; i < (length as usize); i++) store<u8>(out + i, load<u8>(from + i));
      from += length;
      out += length;
    } else {
      store<u8>(out, 0xef);
      store<u8>(out + 1, 0xbf);
      store<u8>(out + 2, 0xbd);
      from += -length;
      out += 3;
    }
  }
  escapedTo = from;
  return out;
}

/** The letter that stands for a character behind a backslash; 0 if there is none. */
@inline
function letterOf(byte: u32): u32 {
  if (byte == QUOTE || byte == BACKSLASH) return byte;
  if (byte == 8) return 98;
  if (byte == 9) return 116;
  if (byte == 10) return 110;
  if (byte == 12) return 102;
  if (byte == 13) return 114;
  return 0;
}

@inline
function hexDigit(value: u32): u32 {
  return value < 10 ? 48 + value : 87 + value;
}

function writeEscape(out: usize, byte: u32): usize {
  store<u8>(out, BACKSLASH);
  const letter = letterOf(byte);
  if (letter) {
    store<u8>(out + 1, letter);
    return out + 2;
  }
  store<u8>(out + 1, 117);
  store<u16>(out + 2, 0x3030);
  store<u8>(out + 4, hexDigit(byte >> 4));
  store<u8>(out + 5, hexDigit(byte & 15));
  return out + 6;
}

/** The length of the character at an address, if there is one; else that of what begins like one, and negative. */
function characterAt(from: usize, to: usize): i32 {
  const lead = load<u8>(from) as u32;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  let lowest: u32 = 0x80;
  let highest: u32 = 0xbf;
  let length: i32 = 2;
  if (lead >= 0xf0) {
    length = 4;
    if (lead == 0xf0) lowest = 0x90;
    if (lead == 0xf4) highest = 0x8f;
  } else if (lead >= 0xe0) {
    length = 3;
    if (lead == 0xe0) lowest = 0xa0;
    if (lead == 0xed) highest = 0x9f;
  }
  for (let i: i32 = 1; i < length; i++) {
    const at = from + (i as usize);
    if (at >= to) return -i;
    const byte = load<u8>(at) as u32;
    if (byte < lowest || byte > highest) return -i;
    lowest = 0x80;
    highest = 0xbf;
  }
  return length;
}
