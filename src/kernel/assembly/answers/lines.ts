// The output for answered records: lines with a text before each record, or JSON objects.

import { ESCAPE_LIMIT, escapedTo, writeBase64, writeEscaped } from "./json";

/** The value of the match byte that selects a record, or `EVERY`. A byte of 2 means no answer. */
const EVERY: u32 = 2;
const UNANSWERED: u32 = 2;

let wanted: u32 = 1;
let asObjects: bool = false;
let tagged: bool = false;
let numbered: bool = false;
let prefix: usize = 0;
let prefixLength: usize = 0;

/**
 * Sets which records are printed, and the text before each record: a tag (+ or -), a prefix, the record's number and
 * ':'.
 */
export function configureLines(select: u32, tag: bool, prefixAt: usize, length: usize, number: bool): void {
  wanted = select;
  asObjects = false;
  tagged = tag;
  prefix = prefixAt;
  prefixLength = length;
  numbered = number;
}

/** The address of the u32 numbers of the records in a batch; 0 if the batch has all records. */
let numbers: usize = 0;

export function configureNumbers(at: usize): void {
  numbers = at;
}

@inline
function numberOf(record: u32): u64 {
  return numbers ? load<u32>(numbers + ((record as usize) << 2)) : record;
}

let texts: usize = 0;
let names: u32 = 0;
let namesLimit: usize = 0;
let rows: usize = 0;
let rowBytes: usize = 0;

/**
 * Sets the names of the filters that are printed with a record; none if `count` is 0. At `at` there are addresses and
 * lengths, u32 each: of the text before the names, of the text after them, and of each name. At most `limit` bytes of
 * them are written.
 */
export function configureNames(at: usize, count: u32, limit: usize): void {
  texts = at;
  names = count;
  namesLimit = limit;
}

/** Sets the matches of the records per filter: one row of bytes per filter, `stride` bytes apart. */
export function configureRows(at: usize, stride: usize): void {
  rows = at;
  rowBytes = stride;
}

const DIGITS_LIMIT: usize = 20;
const COMMA: u8 = 44;

function writeNumber(at: usize, value: u64): usize {
  let digits: usize = 1;
  for (let rest = value / 10; rest; rest /= 10) digits++;
  for (let i = digits; i > 0; i--) {
    store<u8>(at + i - 1, (48 + (value % 10)) as u8);
    value /= 10;
  }
  return at + digits;
}

/** Copies 16 bytes at a time, and so reads and writes up to 15 bytes too many. Both sides have padding. */
@inline
function copy(into: usize, from: usize, length: usize): usize {
  for (let offset: usize = 0; offset < length; offset += 16) v128.store(into + offset, v128.load(from + offset));
  return into + length;
}

@inline
function writeText(out: usize, index: u32): usize {
  const text = texts + ((index as usize) << 3);
  return copy(out, load<u32>(text) as usize, load<u32>(text, 4) as usize);
}

/** Writes the names of the filters that have a record, given by its index. Returns the address after them. */
export function writeNames(out: usize, record: u32): usize {
  out = writeText(out, 0);
  const first = out;
  for (let i: u32 = 0; i < names; i++) {
    if (load<u8>(rows + (i as usize) * rowBytes + (record as usize)) != 1) continue;
    if (out != first) store<u8>(out++, COMMA);
    out = writeText(out, i + 2);
  }
  return writeText(out, 1);
}

/** Writes the text before a record, given by its index. Returns the address after it. */
export function writeLead(out: usize, match: u32, record: u32, number: u64): usize {
  if (tagged) store<u8>(out++, match ? 43 : 45);
  if (names) out = writeNames(out, record);
  if (prefixLength) out = copy(out, prefix, prefixLength);
  if (numbered) {
    out = writeNumber(out, number);
    store<u8>(out++, 58);
  }
  return out;
}

const CR: u32 = 13;

/**
 * The texts of an object, 16 bytes each: before the record, after an absent record, after a present record. The text
 * before a record that is not UTF-8 takes 32 bytes.
 */
const TEXT_BYTES: usize = 16;
const HEAD_LENGTH: usize = 11;
const ABSENT_LENGTH: usize = 15;
const PRESENT_LENGTH: usize = 14;
const BASE64_HEAD_LENGTH: usize = 31;
const END_LENGTH: usize = 2;

let objectTexts: usize = 0;
let tailLength: usize = 0;
let dropsReturn: bool = false;

/**
 * Sets which records are printed as JSON objects, and the address of the texts: `{"record":"`, `","match":false`,
 * `","match":true`, `{"record":null,"recordBase64":"`, and the text before the record's number. With `drops` a CR at
 * the end of a record is not printed.
 */
export function configureObjects(select: u32, textsAt: usize, length: usize, drops: bool): void {
  wanted = select;
  asObjects = true;
  objectTexts = textsAt;
  tailLength = length;
  dropsReturn = drops;
}

/** Writes a record as an object and returns the address after it. The caller has checked the space. */
function writeObject(object: usize, start: usize, end: usize, match: u32, record: u32, number: u64): usize {
  let textEnd = end - 1;
  if (dropsReturn && textEnd > start && load<u8>(textEnd - 1) == CR) textEnd--;
  let out = writeEscaped(copy(object, objectTexts, HEAD_LENGTH), start, textEnd, usize.MAX_VALUE);
  if (escapedTo < textEnd) {
    out = writeBase64(copy(object, objectTexts + 3 * TEXT_BYTES, BASE64_HEAD_LENGTH), start, textEnd);
  }
  out = match
    ? copy(out, objectTexts + 2 * TEXT_BYTES, PRESENT_LENGTH)
    : copy(out, objectTexts + TEXT_BYTES, ABSENT_LENGTH);
  if (names) out = writeNames(out, record);
  out = writeNumber(copy(out, objectTexts + 5 * TEXT_BYTES, tailLength), number);
  store<u8>(out, 125);
  store<u8>(out + 1, 10);
  return out + END_LENGTH;
}

/** The address after the last line that was written. */
export let linesEnd: usize = 0;

/**
 * Writes the selected records from index `from` to `count` at `out`. Returns the index of the first record that did not
 * fit before `limit`. The first record starts at `start`, and record 0 has the number `firstNumber`.
 */
export function writeLines(
  start: usize, ends: usize, matches: usize, from: u32, count: u32, firstNumber: u64, out: usize, limit: usize,
): u32 {
  const leads = tagged || numbered || prefixLength > 0 || names > 0;
  const frame: usize = asObjects
    ? BASE64_HEAD_LENGTH + ABSENT_LENGTH + tailLength + DIGITS_LIMIT + END_LENGTH
    : 1 + prefixLength + DIGITS_LIMIT + 1;
  const frameLimit = frame + namesLimit;
  const bytesEach: usize = asObjects ? ESCAPE_LIMIT : 1;
  let recordStart = from ? (load<u32>(ends + (((from - 1) as usize) << 2)) as usize) : start;
  let i = from;
  for (; i < count; i++) {
    const recordEnd = load<u32>(ends + ((i as usize) << 2)) as usize;
    const match = load<u8>(matches + (i as usize)) as u32;
    if (match == wanted ? match != UNANSWERED : wanted == EVERY) {
      if (out + frameLimit + bytesEach * (recordEnd - recordStart) > limit) break;
      if (asObjects) out = writeObject(out, recordStart, recordEnd, match, i, firstNumber + numberOf(i));
      else {
        if (leads) out = writeLead(out, match, i, firstNumber + numberOf(i));
        out = copy(out, recordStart, recordEnd - recordStart);
      }
    }
    recordStart = recordEnd;
  }
  linesEnd = out;
  return i;
}
