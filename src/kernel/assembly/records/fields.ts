// The fields of a record. The functions read up to 16 bytes after the end of a record, where the binding keeps padding.

import { findBlank, skipBlanks } from "./blanks";
import { csvAfter, csvEnd, csvStart, nextCsvField } from "./csv";
import { findInSet, findOutsideSet } from "./byte-sets";

/**
 * The separator of fields: runs of blanks, as in awk; runs of characters of a set; a text, as in cut; or a CSV
 * delimiter.
 */
const BLANKS: u32 = 0;
const SET: u32 = 1;
const CSV: u32 = 3;

let separator: u32 = BLANKS;
/** The separating text. */
let text: usize = 0;
let textLength: u32 = 0;

/** Sets the separator of fields. */
export function configureSeparator(kind: u32, textAt: usize, length: u32): void {
  separator = kind;
  text = textAt;
  textLength = length;
}

/** The first occurrence of the text in [at, end), or `end`. */
@inline
function findText(at: usize, end: usize): usize {
  const first = i8x16.splat(load<u8>(text));
  for (; at < end; at += 16) {
    let mask = i8x16.bitmask(i8x16.eq(v128.load(at), first));
    while (mask) {
      const found = at + (ctz(mask) as usize);
      if (found + (textLength as usize) > end) return end;
      if (textLength == 1 || memory.compare(found + 1, text + 1, (textLength - 1) as usize) == 0) return found;
      mask &= mask - 1;
    }
  }
  return end;
}

/** The field that `nextField` found, and the address where the search for the next field begins. */
export let fieldStart: usize = 0;
export let fieldEnd: usize = 0;
export let fieldAfter: usize = 0;

/**
 * Finds the field of a record that begins at or after `at`. Returns false if no field is left. Fields between runs are
 * never empty. Fields between texts can be empty; `at` = `end` + 1 means that the last field was returned.
 */
@inline
export function nextField(at: usize, end: usize): bool {
  if (separator == BLANKS) {
    fieldStart = skipBlanks(at, end);
    if (fieldStart >= end) return false;
    fieldEnd = findBlank(fieldStart, end);
    fieldAfter = fieldEnd;
    return true;
  }
  if (separator == SET) {
    fieldStart = findOutsideSet(at, end);
    if (fieldStart >= end) return false;
    fieldEnd = findInSet(fieldStart, end);
    fieldAfter = fieldEnd;
    return true;
  }
  if (separator == CSV) {
    if (!nextCsvField(at, end)) return false;
    fieldStart = csvStart;
    fieldEnd = csvEnd;
    fieldAfter = csvAfter;
    return true;
  }
  if (at > end) return false;
  fieldStart = at;
  fieldEnd = findText(at, end);
  fieldAfter = fieldEnd == end ? end + 1 : fieldEnd + (textLength as usize);
  return true;
}
