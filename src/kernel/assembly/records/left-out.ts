// Records that are left out: comments, and empty ones. A comment behind a record may be left out too.

import { dropBlanks, isBlank, skipBlanks } from "./blanks";

/** Address of the prefixes of comments, each behind its u32 length. */
let prefixes: usize = 0;
let prefixCount: u32 = 0;
/** Blanks may stand before a comment: not in CSV, where they are part of a field. */
let mayBeIndented: bool = false;
let leavesEmpty: bool = false;
let endsAtComments: bool = false;
let terminator: u8 = 10;

/**
 * Sets what begins a comment: `count` texts without terminators, each behind its u32 length; whether blanks may stand before it; whether
 * records without anything but blanks are left out too; and whether a record ends before a blank and a comment.
 */
export function configureLeftOut(
  at: usize, count: u32, indented: bool, empty: bool, trailing: bool, end: u8,
): void {
  prefixes = at;
  prefixCount = count;
  mayBeIndented = indented;
  leavesEmpty = empty;
  endsAtComments = trailing;
  terminator = end;
}

/** Whether any record may be left out. */
@inline
export function leavesOut(): bool {
  return prefixCount > 0 || leavesEmpty;
}

/** Whether a comment begins at `at`: a text without a terminator does not match beyond the end of the record. */
function beginsComment(at: usize): bool {
  let prefix = prefixes;
  for (let i: u32 = 0; i < prefixCount; i++) {
    const length = load<u32>(prefix) as usize;
    prefix += 4;
    if (load<u8>(at) == load<u8>(prefix) && memory.compare(at, prefix, length) == 0) return true;
    prefix += length;
  }
  return false;
}

/** Whether the record that starts there ends there, with a CR before its newline or without. */
@inline
function isEnd(at: usize): bool {
  const byte = load<u8>(at);
  return byte == terminator || (terminator == 10 && byte == 13 && load<u8>(at + 1) == 10);
}

/** Whether the record that starts there is left out. */
export function isLeftOut(start: usize): bool {
  if (beginsComment(start)) return true;
  let at = start;
  while (isBlank(load<u8>(at))) at++;
  return (mayBeIndented && at > start && beginsComment(at)) || (leavesEmpty && isEnd(at));
}

/** End of the record [start, end) without a comment that stands behind it, and the blanks before that. */
export function withoutTrailing(start: usize, end: usize): usize {
  if (!endsAtComments) return end;
  for (let at = start; at < end; at++) {
    if (!isBlank(load<u8>(at))) continue;
    const next = skipBlanks(at, end);
    if (next < end && beginsComment(next)) return dropBlanks(start, next);
    at = next;
  }
  return end;
}
