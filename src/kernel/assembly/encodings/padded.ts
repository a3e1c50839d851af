// Text as in a column of a fixed number of characters, padded with spaces.

import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

const BLANK: u8 = 32;

/** The number of UTF-8 characters in [start, end): bytes that are not continuation bytes. */
function charactersIn(start: usize, end: usize): u64 {
  let characters: u64 = 0;
  for (let at = start; at < end; at++) if ((load<u8>(at) & 0xc0) != 0x80) characters++;
  return characters;
}

/**
 * Pads text with spaces to the number of characters that the parameter states. A longer text is skipped. The loop is
 * like those of integers.ts.
 */
export function encodePadded(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  const characters = load<u64>(parameters);
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    let end = start + lengthOf(span);
    while (end > start && load<u8>(end - 1) == BLANK) end--;
    const own = charactersIn(start, end);
    if (own > characters) {
      storeNoKey(spans, i);
      without++;
      continue;
    }
    const blanks = (characters - own) as usize;
    memory.copy(to, start, end - start);
    memory.fill(to + (end - start), BLANK, blanks);
    const past = to + (end - start) + blanks;
    storeSpan(spans, i, to, past);
    to = past;
  }
  return without;
}
