// Non-ASCII characters that separate words: punctuation, symbols, spaces, control characters, direction marks, and
// invisible characters that only join or separate words (U+200B, U+2060, U+FEFF). Invalid UTF-8 is not a separator.

import { maskOf } from "./blocks";

/**
 * Alternating run lengths of characters from U+0080 on: non-separators, separators, and so on, up to the last
 * separator. The separators are the general categories P, S, Z and Cc of Unicode 17.0, the property Bidi_Control,
 * U+200B, U+2060 and U+FEFF. test/kernel/words.test.ts checks each character.
 */
const RUNS: usize = memory.data<u16>([
  0, 42, 1, 2, 1, 4, 2, 1, 1, 3, 2, 1, 3, 1, 23, 1, 31, 1, 458, 4, 12, 14, 5, 7, 1, 1, 1, 17, 117, 1, 8, 1, 5, 2, 1,
  1, 110, 1, 139, 1, 215, 6, 41, 2, 2, 3, 46, 1, 1, 1, 2, 1, 2, 1, 44, 2, 17, 10, 11, 5, 74, 4, 102, 1, 9, 1, 10, 1,
  19, 2, 1, 14, 232, 4, 4, 2, 48, 15, 31, 1, 41, 1, 219, 2, 10, 1, 129, 2, 6, 2, 1, 1, 120, 1, 121, 2, 126, 1, 130, 8,
  124, 1, 7, 1, 4, 1, 202, 1, 41, 1, 122, 1, 74, 1, 15, 1, 10, 2, 165, 23, 2, 6, 20, 1, 1, 1, 1, 1, 1, 4, 71, 1, 56,
  8, 1, 6, 1, 13, 111, 6, 78, 2, 91, 1, 612, 9, 39, 10, 102, 1, 620, 2, 17, 1, 26, 2, 78, 3, 71, 2, 157, 3, 1, 4, 36,
  11, 309, 1, 3, 2, 152, 34, 30, 2, 128, 7, 1, 6, 160, 2, 10, 17, 9, 12, 124, 4, 59, 5, 62, 2, 64, 8, 11, 1, 745, 1,
  1, 3, 11, 3, 13, 3, 13, 3, 13, 2, 1, 12, 2, 83, 5, 4, 16, 5, 11, 5, 17, 34, 62, 2, 1, 4, 1, 2, 10, 1, 1, 3, 5, 6, 1,
  1, 1, 1, 1, 1, 4, 1, 11, 2, 4, 5, 5, 4, 1, 1, 58, 2, 4, 666, 22, 11, 81, 78, 22, 630, 30, 992, 2, 138, 229, 6, 14,
  4, 1, 2, 112, 1, 143, 47, 1, 46, 34, 26, 1, 89, 12, 214, 26, 21, 3, 25, 15, 1, 5, 2, 5, 3, 91, 2, 3, 1, 90, 1, 148,
  2, 4, 10, 32, 38, 9, 1, 16, 31, 11, 30, 8, 1, 15, 32, 10, 39, 15, 320, 6592, 64, 22160, 55, 55, 2, 269, 3, 99, 1,
  10, 1, 115, 6, 8, 23, 9, 2, 103, 2, 157, 4, 10, 4, 58, 4, 86, 2, 40, 3, 1, 1, 49, 2, 47, 1, 97, 13, 16, 2, 124, 4,
  23, 3, 100, 2, 16, 2, 105, 1, 14, 2, 127, 1, 20285, 1, 136, 33, 363, 18, 64, 2, 54, 8, 44, 4, 16, 10, 22, 35, 1, 19,
  1, 4, 147, 1, 1, 15, 10, 7, 26, 6, 26, 11, 122, 7, 1, 7, 13, 2, 258, 3, 52, 9, 57, 17, 2, 3, 1, 13, 3, 1, 47, 45,
  418, 1, 48, 1, 414, 1, 743, 1, 31, 2, 166, 1, 31, 1, 272, 9, 38, 1, 72, 1, 39, 7, 66, 7, 89, 4, 465, 1, 31, 2, 285,
  1, 34, 9, 124, 5, 44, 4, 189, 7, 109, 2, 1, 4, 126, 4, 48, 2, 79, 4, 4, 1, 13, 1, 1, 3, 88, 6, 107, 1, 298, 2, 1, 2,
  114, 5, 10, 2, 1, 1, 104, 1, 250, 23, 105, 3, 28, 13, 76, 1, 130, 4, 251, 1, 264, 3, 155, 1, 92, 8, 83, 3, 1, 5, 93,
  10, 215, 1, 95, 5, 42, 2, 645, 2, 74, 13, 133, 29, 13, 1, 1136, 5, 2940, 2, 14971, 2, 133, 1, 65, 9, 4, 2, 551, 3,
  295, 4, 327, 1, 19641, 1, 2, 1, 3936, 240, 10, 3, 3, 436, 6, 23, 15, 17, 95, 116, 60, 246, 10, 39, 2, 60, 5, 3, 22,
  2, 7, 30, 4, 61, 21, 66, 3, 1, 186, 87, 874, 1, 25, 1, 31, 1, 25, 1, 31, 1, 25, 1, 31, 1, 25, 1, 31, 1, 25, 1, 60,
  512, 55, 4, 50, 8, 1, 14, 1, 7, 1731, 1, 431, 1, 767, 1, 862, 2, 844, 1, 3, 1, 125, 1, 449, 2, 270, 44, 4, 100, 12,
  15, 2, 15, 1, 15, 1, 37, 23, 161, 56, 29, 13, 44, 4, 9, 7, 2, 14, 6, 154, 985, 3, 17, 3, 13, 3, 218, 6, 12, 4, 1,
  15, 12, 4, 56, 8, 10, 6, 40, 8, 30, 2, 12, 4, 2, 14, 9, 39, 344, 8, 14, 2, 13, 3, 11, 3, 57, 1, 1, 4, 16, 2, 12, 4,
  10, 7, 147, 1, 92, 10, 1,
]);
const RUN_COUNT: usize = 704;

/** The limit of the table, which has one bit per character. The bits of separators are set. */
const CHARACTERS: u32 = 0x20000;
let bits: usize = 0;

/** The bytes that `configureWords` needs. */
export function wordTableBytes(): usize {
  return CHARACTERS >> 3;
}

/** Fills the table at an address. This must happen before the search for words. */
export function configureWords(bitsAt: usize): void {
  bits = bitsAt;
  memory.fill(bits, 0, wordTableBytes());
  let character: u32 = 0x80;
  for (let run: usize = 0; run < RUN_COUNT; run++) {
    const end = character + load<u16>(RUNS + (run << 1));
    if (run & 1) {
      for (let at = character; at < end; at++) {
        const byte = bits + ((at >> 3) as usize);
        store<u8>(byte, load<u8>(byte) | (1 << ((at & 7) as u8)));
      }
    }
    character = end;
  }
}

@inline
function isSeparator(character: u32): bool {
  return character < CHARACTERS && ((load<u8>(bits + ((character >> 3) as usize)) >> (character & 7)) & 1) != 0;
}

/** The low bits of a UTF-8 continuation byte; above 63 for other bytes. */
@inline
function following(at: usize): u32 {
  return (load<u8>(at) as u32) ^ 0x80;
}

/**
 * The bytes of the separator that begins at an address; 0 if none begins. It reads up to 3 bytes more. The terminator
 * of a record is not a continuation byte.
 */
@inline
function separatorLength(at: usize): usize {
  const lead = load<u8>(at) as u32;
  const second = following(at + 1);
  if (lead < 0xc2 || second > 63) return 0;
  if (lead < 0xe0) return isSeparator(((lead & 31) << 6) | second) ? 2 : 0;
  const third = following(at + 2);
  if (third > 63) return 0;
  if (lead < 0xf0) {
    const character = ((lead & 15) << 12) | (second << 6) | third;
    return character >= 0x800 && isSeparator(character) ? 3 : 0;
  }
  const fourth = following(at + 3);
  if (fourth > 63 || lead > 0xf4) return 0;
  const character = ((lead & 7) << 18) | (second << 12) | (third << 6) | fourth;
  return character >= 0x10000 && isSeparator(character) ? 4 : 0;
}

@inline
function mayLead(bytes: v128): v128 {
  return i8x16.gt_u(bytes, i8x16.splat(0xc1 as i8));
}

/**
 * The bytes of separators in a block of a record that began at `start`. Bytes after the end of the record may be
 * included.
 */
export function separatorsIn(at: usize, start: usize): u64 {
  let found: u64 = 0;
  // A character may have begun in the block before.
  for (let before = max(start, at - 3); before < at; before++) {
    const end = before + separatorLength(before);
    if (end > at) found |= ((1 as u64) << ((end - at) as u64)) - 1;
  }
  let leads = maskOf(
    mayLead(v128.load(at)),
    mayLead(v128.load(at, 16)),
    mayLead(v128.load(at, 32)),
    mayLead(v128.load(at, 48)),
  );
  while (leads) {
    const offset = ctz(leads);
    leads &= leads - 1;
    found |= (((1 as u64) << (separatorLength(at + (offset as usize)) as u64)) - 1) << offset;
  }
  return found;
}
