// Fields of a record. Reads up to 16 bytes past the end of a record: the binding keeps padding there.

import { findBlank, skipBlanks } from "./blanks";
import { csvAfter, csvEnd, csvStart, nextCsvField } from "./csv";
import { findInSet, findOutsideSet } from "./byte-sets";

/**
 * What separates fields: runs of blanks, as awk has it, or of characters of the set, or each occurrence of a text, as cut has it, or a
 * delimiter of CSV. */
const BLANKS: u32 = 0;
const SET: u32 = 1;
const CSV: u32 = 3;

let separator: u32 = BLANKS;
/** The text. */
let text: usize = 0;
let textLength: u32 = 0;

/** Sets what separates fields. */
export function configureSeparator(kind: u32, textAt: usize, length: u32): void {
  separator = kind;
  text = textAt;
  textLength = length;
}

/** First occurrence of the text within [at, end), else `end`. */
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

/** The field that `nextField` found, and where to seek the one after it. */
export let fieldStart: usize = 0;
export let fieldEnd: usize = 0;
export let fieldAfter: usize = 0;

/**
 * Finds the field of a record that starts at or after `at`; false if none is left. Between runs none is empty. Between texts some
 * may be, and `at` = `end` + 1 says that the last one was taken.
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
