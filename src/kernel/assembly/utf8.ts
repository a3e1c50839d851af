// The characters of UTF-8. Of what is none, U+FFFD stands for as many bytes as begin a character, and for a surrogate.

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
