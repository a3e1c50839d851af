// The characters of UTF-8. U+FFFD replaces each run of bytes that begins a character and does not end it.
//
// Decoders differ for a surrogate in the form of three bytes. Java's String replaces all of them by one U+FFFD. Python and the
// Encoding Standard (WHATWG) replace each byte, as ED followed by A0 or more begins no character.

const REPLACEMENT: u32 = 0xfffd;

/** Bytes that follow the first one of a character; 0 for one that begins none. */
@inline
function followers(lead: u32): u32 {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
}

/** Whether a byte may be the second of a character: not if fewer bytes would do, and not beyond the last character. */
@inline
function isSecond(lead: u32, byte: u32, isJava: bool): bool {
  if (lead == 0xe0) return byte >= 0xa0;
  if (lead == 0xed) return isJava || byte < 0xa0;
  if (lead == 0xf0) return byte >= 0x90;
  return lead == 0xf4 ? byte < 0x90 : true;
}

/** Where the character that was read last ends. */
let afterCharacter: usize = 0;

/** Where the character ends that `readCharacter` has returned. */
export function characterEnd(): usize {
  return afterCharacter;
}

/** The character at an address, which is not ASCII, or what replaces it: as Java has it, or as Python. */
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
