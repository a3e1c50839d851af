// The fields of a record that a list selects, as in cut. Each field is a key, in the order of the record, or all of
// them are one key.

import { copyTo, decodedEnd, keepDecoded } from "./decoded";
import { fieldAfter, fieldEnd, fieldStart, nextField } from "./fields";
import { keyCount, keyLimit, keepKeys, storeKey } from "./keys";

/**
 * The list: pairs of i32 numbers, the first and last field of a range. Negative numbers count from the end of the
 * record.
 */
let ranges: usize = 0;
let rangesEnd: usize = 0;
/** The last field that is needed. */
let last: i32 = 0;
/** Whether some numbers count from the end. */
let fromEnd: bool = false;

/** The fewest fields of a record with keys. */
let least: i32 = 0;

/** Whether all fields are one key, with the text `glue` between them. */
let areOne: bool = false;
let glue: usize = 0;
let glueLength: usize = 0;

/**
 * Makes all fields of the list one key, with a text between them. It has at most as many bytes as the separator, or one
 * byte.
 */
export function configureGlue(at: usize, length: u32): void {
  areOne = true;
  glue = at;
  glueLength = length as usize;
}

/** Sets the list, whose fields are separate keys, and the fewest fields of a record with keys. */
export function configureList(rangesAt: usize, count: u32, needed: i32): void {
  areOne = false;
  least = needed;
  ranges = rangesAt;
  rangesEnd = rangesAt + ((count as usize) << 3);
  last = 0;
  fromEnd = false;
  for (let at = ranges; at < rangesEnd; at += 8) {
    if (load<i32>(at) < 0 || load<i32>(at, 4) < 0) fromEnd = true;
    last = max(last, load<i32>(at, 4));
  }
  if (fromEnd) last = i32.MAX_VALUE;
}

/** The number of fields of the record [start, end). */
function countFields(start: usize, end: usize): i32 {
  let count = 0;
  const decoded = decodedEnd;
  for (let at = start; nextField(at, end); at = fieldAfter) count++;
  keepDecoded(decoded);
  return count;
}

@inline
function isWanted(number: i32, count: i32): bool {
  for (let at = ranges; at < rangesEnd; at += 8) {
    let from = load<i32>(at);
    let to = load<i32>(at, 4);
    if (from < 0) from += count + 1;
    if (to < 0) to += count + 1;
    if (from <= number && number <= to) return true;
  }
  return false;
}

/** The next field of a record whose keys did not fit, and the address where its search begins; 0 if there is none. */
let nextNumber: i32 = 0;
let nextAt: usize = 0;

/** Appends the fields of the record [start, end). Returns false if the keys were full before its last field. */
export function pushFields(start: usize, end: usize, record: u32): bool {
  const count = fromEnd || least ? countFields(start, end) : 0;
  if (count < least) return true;
  if (areOne) {
    pushJoined(start, end, record, count);
    return true;
  }
  let keys = keyCount;
  let number = 1;
  let at = start;
  if (nextNumber) {
    number = nextNumber;
    at = nextAt;
    nextNumber = 0;
  }
  for (; number <= last && nextField(at, end); number++) {
    if (isWanted(number, count)) {
      if (keys == keyLimit) {
        nextNumber = number;
        nextAt = at;
        break;
      }
      storeKey(keys++, fieldStart, fieldEnd, record);
    }
    at = fieldAfter;
  }
  keepKeys(keys);
  return nextNumber == 0;
}

/**
 * Appends the `count` fields of the record [start, end) as one key, if it has any of the list's fields. The caller has
 * checked the space.
 */
function pushJoined(start: usize, end: usize, record: u32, count: i32): void {
  const key = decodedEnd;
  let into = key;
  let gap: usize = 0;
  let found = false;
  let at = start;
  for (let number = 1; number <= last; number++) {
    // A field is decoded where the key needs it: after the text between fields. The copy of the text may write too many
    // bytes.
    copyTo(into, glue, gap);
    keepDecoded(into + gap);
    if (!nextField(at, end)) break;
    if (isWanted(number, count)) {
      into = copyTo(into + gap, fieldStart, fieldEnd - fieldStart);
      gap = glueLength;
      found = true;
    }
    at = fieldAfter;
  }
  keepDecoded(into);
  if (!found) return;
  storeKey(keyCount, key, into, record);
  keepKeys(keyCount + 1);
}
