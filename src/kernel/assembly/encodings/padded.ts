// Text as columns of a fixed number of characters have it: with blanks behind it.

import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

const BLANK: u8 = 32;

/** Characters of UTF-8 in [start, end): bytes that continue none. */
function charactersIn(start: usize, end: usize): u64 {
  let characters: u64 = 0;
  for (let at = start; at < end; at++) if ((load<u8>(at) & 0xc0) != 0x80) characters++;
  return characters;
}

/** Text filled up with blanks to as many characters as the parameter says; what has more of them is none. As the loops of integers.ts. */
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
