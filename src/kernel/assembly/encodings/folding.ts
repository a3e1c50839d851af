// Folds the case of keys by simple case folding, one character of UTF-8 after the other. Bytes that are not UTF-8 stay
// as they are.

import { lengthOf, loadSpan, startOf, storeSpan } from "../spans";
import { characterEnd, readCharacter } from "../utf8";
import { FOLDING_RUN_COUNT, FOLDING_RUNS } from "./folding-runs";
import { lower } from "./encode";

/** The limit of the table, which has the folded character of each character; 0 for an unchanged character. */
const CHARACTERS: u32 = 0x1e980;
let table: usize = 0;

/** The bytes that `configureFolding` needs. */
export function foldingTableBytes(): usize {
  return (CHARACTERS << 2) as usize;
}

/** Fills the table at an address, which has zeros. This must happen before any key is folded. */
export function configureFolding(at: usize): void {
  table = at;
  const end = FOLDING_RUNS + (FOLDING_RUN_COUNT << 4);
  for (let run = FOLDING_RUNS; run < end; run += 16) {
    const last = load<u32>(run, 4);
    const step = load<u32>(run, 8);
    const distance = load<i32>(run, 12);
    for (let character = load<u32>(run); character <= last; character += step)
      store<u32>(table + ((character as usize) << 2), ((character as i32) + distance) as u32);
  }
}

/** Writes a character in UTF-8. Returns the address after it. */
@inline
function writeCharacter(to: usize, character: u32): usize {
  if (character < 0x80) {
    store<u8>(to, character as u8);
    return to + 1;
  }
  if (character < 0x800) {
    store<u8>(to, (0xc0 | (character >> 6)) as u8);
    store<u8>(to, (0x80 | (character & 63)) as u8, 1);
    return to + 2;
  }
  if (character < 0x10000) {
    store<u8>(to, (0xe0 | (character >> 12)) as u8);
    store<u8>(to, (0x80 | ((character >> 6) & 63)) as u8, 1);
    store<u8>(to, (0x80 | (character & 63)) as u8, 2);
    return to + 3;
  }
  store<u8>(to, (0xf0 | (character >> 18)) as u8);
  store<u8>(to, (0x80 | ((character >> 12) & 63)) as u8, 1);
  store<u8>(to, (0x80 | ((character >> 6) & 63)) as u8, 2);
  store<u8>(to, (0x80 | (character & 63)) as u8, 3);
  return to + 4;
}

/** Folds the bytes [from, end) to `to`. Returns the address after the copy. */
function foldKey(from: usize, end: usize, to: usize): usize {
  while (from < end) {
    const block = v128.load(from);
    v128.store(to, lower(block));
    const ascii = min(ctz(i8x16.bitmask(block) | 0x10000) as usize, end - from);
    from += ascii;
    to += ascii;
    if (ascii == 16 || from == end) continue;
    const character = readCharacter(from, end, false);
    const after = characterEnd();
    const folded: u32 = character < CHARACTERS ? load<u32>(table + ((character as usize) << 2)) : 0;
    if (folded) to = writeCharacter(to, folded);
    else for (let at = from; at < after; at++) store<u8>(to++, load<u8>(at));
    from = after;
  }
  return to;
}

/**
 * Copies keys to `to`, one after the other, with each character folded. Their spans become those of the copies. A copy
 * is at most half as long again as its key. The function reads and writes up to 15 bytes after the end of a key.
 */
export function foldAllKeys(spans: usize, count: u32, to: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = to;
    to = foldKey(startOf(span), startOf(span) + lengthOf(span), to);
    storeSpan(spans, i, start, to);
  }
}
