// Records that are skipped: comments and empty records. A comment at the end of a record can be skipped too.

import { dropBlanks, isBlank, skipBlanks } from "./blanks";

/** The address of the prefixes of comments, each after its u32 length. */
let prefixes: usize = 0;
let prefixCount: u32 = 0;
/** Whether blanks may precede a comment. They may not in CSV, where they are part of a field. */
let mayBeIndented: bool = false;
let skipsEmpty: bool = false;
let endsAtComments: bool = false;
let terminator: u8 = 10;

/**
 * Sets which records are skipped. `at` has `count` prefixes of comments without terminators, each after its u32 length.
 * `indented`: blanks may precede a prefix. `empty`: records with only blanks are skipped. `trailing`: a record ends
 * before a blank and a comment.
 */
export function configureSkipped(
  at: usize, count: u32, indented: bool, empty: bool, trailing: bool, end: u8,
): void {
  prefixes = at;
  prefixCount = count;
  mayBeIndented = indented;
  skipsEmpty = empty;
  endsAtComments = trailing;
  terminator = end;
}

/** Whether any record can be skipped. */
@inline
export function skipsAny(): bool {
  return prefixCount > 0 || skipsEmpty;
}

/** Whether a comment begins at `at`. A prefix without a terminator cannot match beyond the end of the record. */
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

/** Whether the record that starts at an address is empty. A CR may precede its newline. */
@inline
function isEnd(at: usize): bool {
  const byte = load<u8>(at);
  return byte == terminator || (terminator == 10 && byte == 13 && load<u8>(at + 1) == 10);
}

/** Whether the record that starts at an address is skipped. */
export function isSkipped(start: usize): bool {
  if (beginsComment(start)) return true;
  let at = start;
  while (isBlank(load<u8>(at))) at++;
  return (mayBeIndented && at > start && beginsComment(at)) || (skipsEmpty && isEnd(at));
}

/** The end of the record [start, end) without a trailing comment and the blanks before it. */
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
