// The tokens of a record, 64 bytes at a time. A comparison gives a bit mask of the bytes of tokens, and tokens begin
// and end where it changes. It reads up to 64 bytes after the end of a record.

import { maskOf, within } from "./blocks";
import { inSet, setRows } from "./byte-sets";
import { keyCount, keyLimit, keepKeys, storeKey } from "./keys";

/** The bytes of a block that are not in the set. */
@inline
function outsideSet(at: usize, rows: v128): u64 {
  return ~maskOf(
    inSet(v128.load(at), rows),
    inSet(v128.load(at, 16), rows),
    inSet(v128.load(at, 32), rows),
    inSet(v128.load(at, 48), rows),
  );
}

/** Where the search goes on in a record whose keys did not fit; 0 if there is no such record. */
let nextAt: usize = 0;

/** The address where the search of a record begins or goes on. */
@inline
export function beginning(start: usize): usize {
  const at = nextAt ? nextAt : start;
  nextAt = 0;
  return at;
}

/** Interrupts a record; its search goes on at `at`. */
@inline
export function goOnAt(at: usize): void {
  nextAt = at;
}

/** Whether the last record was not interrupted. */
@inline
export function isAtEnd(): bool {
  return nextAt == 0;
}

/**
 * Appends the tokens between bytes of the set in the record [start, end). Returns false if the keys were full before
 * its last token.
 */
export function pushTokens(start: usize, end: usize, record: u32): bool {
  const rows = setRows();
  const limit = keyLimit - 64;
  let keys = keyCount;
  let token: usize = 0;
  let inside: u64 = 0;
  // The block after the end has no bytes of the record, and so ends the last token.
  for (let at = beginning(start); at <= end; at += 64) {
    if (keys > limit) {
      goOnAt(inside ? token : at);
      break;
    }
    const bytes = outsideSet(at, rows) & within(at, end);
    const before = (bytes << 1) | inside;
    let starts = bytes & ~before;
    let ends = before & ~bytes;
    if (!inside) {
      token = at + (ctz(starts) as usize);
      starts &= starts - 1;
    }
    while (ends) {
      storeKey(keys++, token, at + (ctz(ends) as usize), record);
      ends &= ends - 1;
      token = at + (ctz(starts) as usize);
      starts &= starts - 1;
    }
    inside = bytes >> 63;
  }
  keepKeys(keys);
  return isAtEnd();
}
