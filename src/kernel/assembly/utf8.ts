// The characters of UTF-8. U+FFFD replaces each run of bytes that begins a character but does not complete it.
//
// Decoders differ for a surrogate that is encoded in three bytes. Java's String replaces all three bytes by one U+FFFD.
// Python and the Encoding Standard (WHATWG) replace each byte, because no character begins with ED and a byte from A0
// on.

const REPLACEMENT: u32 = 0xfffd;

/** The number of bytes after the first byte of a character; 0 if the byte begins no character. */
@inline
function followers(lead: u32): u32 {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
}

/**
 * Whether a byte can be the second byte of a character. It cannot if a shorter form exists, or beyond the last
 * character.
 */
@inline
function isSecond(lead: u32, byte: u32, isJava: bool): bool {
  if (lead == 0xe0) return byte >= 0xa0;
  if (lead == 0xed) return isJava || byte < 0xa0;
  if (lead == 0xf0) return byte >= 0x90;
  return lead == 0xf4 ? byte < 0x90 : true;
}

/** The end of the last character that was read. */
let afterCharacter: usize = 0;

/** The end of the character that `readCharacter` returned. */
export function characterEnd(): usize {
  return afterCharacter;
}

/** The non-ASCII character at an address, or U+FFFD. Surrogates are replaced as in Java, or as in Python. */
export function readCharacter(at: usize, end: usize, isJava: bool): u32 {
  const lead = load<u8>(at++) as u32;
  let left = followers(lead);
  let character: u32 = left == 0 ? REPLACEMENT : lead & (0x3f >> left);
  for (; left; left--) {
    const byte: u32 = at < end ? load<u8>(at) : 0;
    const isFirst = left == followers(lead);
    if ((byte & 0xc0) != 0x80 || (isFirst && !isSecond(lead, byte, isJava))) {
      character = REPLACEMENT;
      break;
    }
    character = (character << 6) | (byte & 0x3f);
    at++;
  }
  afterCharacter = at;
  return (character & 0xfffff800) == 0xd800 ? REPLACEMENT : character;
}
