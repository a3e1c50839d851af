// Keys as HBase puts them into its filters.

import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

const TAB: u8 = 9;

/** Most bytes of a row. */
const ROW_LIMIT: usize = 0x7fff;

/**
 * Makes of rows and qualifiers, with a tab between them, the cells that filters of rows and columns have: u16be length of the row,
 * the row, length 0 of a family, the qualifier, the last of all times, and a type of 0xff. A tab may be in a row. What has
 * none, or too long a row, is no key: returns how many these are. There is room for 12 bytes more of each at `to`.
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

/** Leaves of longer keys so many bytes. */
export function cutKeys(spans: usize, count: u32, bytes: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    storeSpan(spans, i, start, start + min(lengthOf(span), bytes));
  }
}
