// Keys as HBase adds them to its filters.

import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

const TAB: u8 = 9;

/** The most bytes of a row. */
const ROW_LIMIT: usize = 0x7fff;

/**
 * Turns rows and qualifiers, separated by a tab, into the cells of ROWCOL filters. The last tab separates, so a row may
 * have tabs.
 *
 * A cell has these parts: the length of the row as u16be, the row, the length 0 of a family, the qualifier, the last
 * possible timestamp, the type 0xff. It takes 12 bytes more than the key at `to`. Returns the number of records that
 * are skipped, because they have no tab or their row is too long.
 */
export function encodeCells(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    const end = start + lengthOf(span);
    let tab = end;
    while (tab > start && load<u8>(tab - 1) != TAB) tab--;
    const row = tab - 1 - start;
    if (tab == start || row > ROW_LIMIT) {
      storeNoKey(spans, i);
      without++;
      continue;
    }
    const cell = to;
    store<u16>(to, bswap<u16>(row as u16));
    memory.copy(to + 2, start, row);
    to += 2 + row;
    store<u8>(to, 0);
    memory.copy(to + 1, tab, end - tab);
    to += 1 + end - tab;
    store<u64>(to, 0xffffffffffffff7f);
    store<u8>(to, 0xff, 8);
    to += 9;
    storeSpan(spans, i, cell, to);
  }
  return without;
}

/** Truncates longer keys to `bytes` bytes. */
export function cutKeys(spans: usize, count: u32, bytes: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    storeSpan(spans, i, start, start + min(lengthOf(span), bytes));
  }
}
