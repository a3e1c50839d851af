// Bytes as the content of a JSON string (RFC 8259). UTF-8 is written as JavaScript writes it, with only the necessary
// escapes. Other bytes are written as base64 (RFC 4648).

/** The most bytes that one byte can become. */
export const ESCAPE_LIMIT: usize = 6;

const QUOTE: u32 = 34;
const BACKSLASH: u32 = 92;

/** Where the last `writeEscaped` stopped: at the end, before a character, or at bytes that are not UTF-8. */
export let escapedTo: usize = 0;

/**
 * Writes the bytes from `from` to `to` at `out`, and returns the address after them. It stops after `limit`, or at
 * bytes that are not UTF-8. It reads and writes up to 22 bytes too many; both sides have padding.
 */
export function writeEscaped(out: usize, from: usize, to: usize, limit: usize): usize {
  while (from < to && out < limit) {
    const bytes = v128.load(from);
    v128.store(out, bytes);
    // Control characters and bytes outside ASCII, which are negative as signed numbers.
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
    if (length == 0) break;
    for (let i: usize = 0; i < length; i++) store<u8>(out + i, load<u8>(from + i));
    from += length;
    out += length;
  }
  escapedTo = from;
  return out;
}

/** The letter of the short escape of a character; 0 if it has none. */
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

/** The length of the character at an address (Unicode 16.0, table 3-7); 0 if there is no valid character. */
function characterAt(from: usize, to: usize): usize {
  const lead = load<u8>(from) as u32;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  let lowest: u32 = 0x80;
  let highest: u32 = 0xbf;
  let length: usize = 2;
  if (lead >= 0xf0) {
    length = 4;
    if (lead == 0xf0) lowest = 0x90;
    if (lead == 0xf4) highest = 0x8f;
  } else if (lead >= 0xe0) {
    length = 3;
    if (lead == 0xe0) lowest = 0xa0;
    if (lead == 0xed) highest = 0x9f;
  }
  if (to - from < length) return 0;
  for (let i: usize = 1; i < length; i++) {
    const byte = load<u8>(from + i) as u32;
    if (byte < lowest || byte > highest) return 0;
    lowest = 0x80;
    highest = 0xbf;
  }
  return length;
}

/** "ABC...abc...012...+/" */
const ALPHABET: usize = memory.data<u64>([
  0x4847464544434241, 0x504f4e4d4c4b4a49, 0x5857565554535251, 0x6665646362615a59, 0x6e6d6c6b6a696867, 0x767574737271706f,
  0x333231307a797877, 0x2f2b393837363534,
]);

const PAD: u8 = 61;

@inline
function digit64(bits: u32, shift: u32): u8 {
  return load<u8>(ALPHABET + (((bits >> shift) & 63) as usize));
}

/** Writes the bytes from `from` to `to` at `out` as base64, and returns the address after them. */
export function writeBase64(out: usize, from: usize, to: usize): usize {
  for (; from < to; from += 3, out += 4) {
    const left = to - from;
    let bits = (load<u8>(from) as u32) << 16;
    if (left > 1) bits |= (load<u8>(from + 1) as u32) << 8;
    if (left > 2) bits |= load<u8>(from + 2) as u32;
    store<u8>(out, digit64(bits, 18));
    store<u8>(out + 1, digit64(bits, 12));
    store<u8>(out + 2, left > 1 ? digit64(bits, 6) : PAD);
    store<u8>(out + 3, left > 2 ? digit64(bits, 0) : PAD);
  }
  return out;
}
