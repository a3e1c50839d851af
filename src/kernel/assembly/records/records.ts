// Bytes -> records -> keys.
//
// The scanner walks the bytes that the binding read into memory, 64 at a time: a comparison makes one bit mask of
// the terminators, and the mask's bits are the ends of records. Where a key lies is appended to `spans`; what becomes of
// keys (encode.ts, and a file for each hash) are loops of their own, which costs nothing: the processor overlaps the
// work for several keys only where the loop is short. What a record contributes is set once by `configureRecords`. The
// scanner reads up to 64 bytes past the end of the input: the binding keeps padding there.

import { endsRecord, goOnWithQuotes, pauseQuotes, QUOTE } from "./csv";
import { pushFields } from "./field-lists";
import { fieldAfter, fieldEnd, fieldStart, nextField } from "./fields";
import { pushValue } from "./json-values";
import { clearOwners, configureKeys, keyCount, keyLimit, owners, keepKeys, spans, storeKey } from "./keys";
import { storeSpan } from "../spans";
import { pushTokens } from "./tokens";
import { pushWords } from "./words";

/**
 * What the keys of a record are: the record, one field of it, those of a list, what stands between bytes of a set, words, the value
 * at a path of JSON, fields of a record of CSV, or the record with a note of its number.
 */
const WHOLE: u32 = 0;
const FIELD: u32 = 1;
const FIELDS: u32 = 2;
const TOKENS: u32 = 3;
const WORDS: u32 = 4;
const VALUE: u32 = 5;
const CSV: u32 = 6;
const OWNED: u32 = 7;

/** What `scan` stopped for: all bytes were seen, or a batch must be applied before it goes on. */
const DRAINED: u32 = 0;
const KEYS_FULL: u32 = 1;
const RECORDS_FULL: u32 = 2;

let terminator: u8 = 10;
/** 1 where a CR before the terminator is no part of the record, else 0. */
let dropsReturn: u32 = 1;
let selection: u32 = WHOLE;
let field: u32 = 1;

/** Sets how records end, and what their keys are: of one field its number, from 1. With LF as the end one CR before it is dropped. */
export function configureRecords(end: u8, select: u32, wanted: u32): void {
  terminator = end;
  dropsReturn = (end == 10) as u32;
  selection = select;
  field = wanted;
}

let comment: usize = 0;
let commentLength: usize = 0;

/**
 * Sets what a record begins with that is none, and has no key: a text without terminators, or no such if its length is 0.
 * Where records are kept it is one without a key.
 */
export function configureComments(at: usize, length: u32): void {
  comment = at;
  commentLength = length as usize;
}

/** Whether a record that starts there is a comment: a text without a terminator does not match beyond its end. */
@inline
function isComment(start: usize): bool {
  return load<u8>(start) == load<u8>(comment) && memory.compare(start, comment, commentLength) == 0;
}

let ends: usize = 0;
let recordLimit: u32 = 0;

/**
 * Sets where a batch goes and how much it holds: u64 spans of keys; u32 owners, the record of each key (0: not wanted, where
 * keys are whole records and none is left out); u32 ends, the address past each record's terminator (0: not wanted). Limits are at least 64.
 */
export function configureBatch(spansAt: usize, ownersAt: usize, keys: u32, endsAt: usize, records: u32): void {
  configureKeys(spansAt, ownersAt, keys);
  ends = endsAt;
  recordLimit = records;
}

/** Records of the current batch; the binding resets them once it has applied them. */
export let recordCount: u32 = 0;

/** First byte of the record that is not yet complete, and first byte not yet searched for its end. */
export let recordStart: usize = 0;
export let searchFrom: usize = 0;

/** The keys were full in the middle of that record. */
let isHalfDone: bool = false;

/** Finds the wanted field of the record [start, end); false if it has none. */
@inline
function findField(start: usize, end: usize): bool {
  let at = start;
  for (let number: u32 = 1; nextField(at, end); number++) {
    if (number == field) return true;
    at = fieldAfter;
  }
  return false;
}

/** Appends the keys of the record [start, end); false if the keys were full before its last one. */
@inline
function pushKeys(start: usize, end: usize, record: u32): bool {
  if (selection == WORDS) return pushWords(start, end, record);
  if (selection == VALUE) {
    pushValue(start, end, record);
    return true;
  }
  return selection == TOKENS ? pushTokens(start, end, record) : pushFields(start, end, record);
}

@inline
function terminators(at: usize, pattern: v128): u64 {
  const a = i8x16.bitmask(i8x16.eq(v128.load(at), pattern)) as u32 as u64;
  const b = i8x16.bitmask(i8x16.eq(v128.load(at, 16), pattern)) as u32 as u64;
  const c = i8x16.bitmask(i8x16.eq(v128.load(at, 32), pattern)) as u32 as u64;
  const d = i8x16.bitmask(i8x16.eq(v128.load(at, 48), pattern)) as u32 as u64;
  return a | (b << 16) | (c << 32) | (d << 48);
}

/** End of the key of a record whose terminator stands at `end`: without a branch, which takes more instructions. */
@inline
function withoutReturn(start: usize, end: usize, drops: u32): usize {
  return end - ((drops & ((end > start) as u32) & ((load<u8>(end - 1) == 13) as u32)) as usize);
}

/** Ends the record whose last keys had to wait; false if they still do not fit. */
function resumeRecord(): bool {
  isHalfDone = !pushKeys(recordStart, withoutReturn(recordStart, searchFrom, dropsReturn), recordCount);
  if (isHalfDone) return false;
  recordStart = searchFrom + 1;
  searchFrom = recordStart;
  if (ends) store<u32>(ends + ((recordCount as usize) << 2), recordStart as u32);
  recordCount++;
  return true;
}

/** Scans up to `to` for keys of the sort `select`, and leaves comments out if there are any. */
@inline
function scanBlocks(to: usize, select: u32, comments: bool): u32 {
  const pattern = i8x16.splat(terminator);
  const drops = dropsReturn;
  let start = recordStart;
  let records = recordCount;
  let keys = keyCount;
  let status = DRAINED;
  let at = searchFrom;
  for (; at < to; at += 64) {
    // A block holds at most 64 records, so room for them all spares a test per record.
    if (keys + 64 > keyLimit) {
      status = KEYS_FULL;
      break;
    }
    if (records + 64 > recordLimit) {
      status = RECORDS_FULL;
      break;
    }
    let mask = terminators(at, pattern);
    if (to - at < 64) mask &= ((1 as u64) << ((to - at) as u64)) - 1;
    if (mask == 0) continue;
    do {
      const end = at + (ctz(mask) as usize);
      mask &= mask - 1;
      if (comments && isComment(start)) {
        start = end + 1;
        if (ends) store<u32>(ends + ((records++ as usize) << 2), start as u32);
        continue;
      }
      const keyEnd = withoutReturn(start, end, drops);
      if (select == WHOLE) {
        storeSpan(spans, keys, start, keyEnd);
        keys++;
      } else if (select == OWNED) {
        storeKey(keys, start, keyEnd, records);
        keys++;
      } else if (select == FIELD) {
        if (findField(start, keyEnd)) {
          storeKey(keys, fieldStart, fieldEnd, records);
          keys++;
        }
      } else {
        keepKeys(keys);
        isHalfDone = !pushKeys(start, keyEnd, records);
        keys = keyCount;
        if (isHalfDone) {
          recordStart = start;
          searchFrom = end;
          recordCount = records;
          return KEYS_FULL;
        }
      }
      start = end + 1;
      if (ends) store<u32>(ends + ((records as usize) << 2), start as u32);
      records++;
    } while (mask);
  }
  recordStart = start;
  searchFrom = min(at, to);
  recordCount = records;
  keepKeys(keys);
  return status;
}

/** The same for records of CSV, whose newlines may be in quotes, but for comments, which are lines. What these begin with has no quote. */
function scanCsv(to: usize, comments: bool): u32 {
  const newline = i8x16.splat(10);
  const quote = i8x16.splat(34);
  let status = DRAINED;
  let at = searchFrom;
  for (; at < to; at += 64) {
    if (keyCount + 64 > keyLimit) {
      status = KEYS_FULL;
      break;
    }
    if (recordCount + 64 > recordLimit) {
      status = RECORDS_FULL;
      break;
    }
    let mask = terminators(at, newline) | terminators(at, quote);
    if (to - at < 64) mask &= ((1 as u64) << ((to - at) as u64)) - 1;
    while (mask) {
      const end = at + (ctz(mask) as usize);
      mask &= mask - 1;
      const isLeftOut = comments && isComment(recordStart);
      if (isLeftOut ? load<u8>(end) == QUOTE : !endsRecord(recordStart, end)) continue;
      isHalfDone =
        !isLeftOut && !pushFields(recordStart, withoutReturn(recordStart, end, dropsReturn), recordCount);
      if (isHalfDone) {
        searchFrom = end;
        return KEYS_FULL;
      }
      recordStart = end + 1;
      if (isLeftOut && !ends) continue;
      if (ends) store<u32>(ends + ((recordCount as usize) << 2), recordStart as u32);
      recordCount++;
    }
  }
  searchFrom = min(at, to);
  return status;
}

/** Scans up to `to`, from where it stopped: for each sort of keys there is a loop that knows it. */
export function scan(to: usize): u32 {
  // First, and by itself: the batch has room for this record, but perhaps for no other, and must not end before it.
  if (isHalfDone && !resumeRecord()) return KEYS_FULL;
  const comments = commentLength > 0;
  if (selection == CSV) return scanCsv(to, comments);
  if (selection == WHOLE) {
    if (comments) return scanBlocks(to, OWNED, true);
    return owners ? scanBlocks(to, OWNED, false) : scanBlocks(to, WHOLE, false);
  }
  return selection == FIELD ? scanBlocks(to, FIELD, comments) : scanBlocks(to, FIELDS, comments);
}

/** Lets the scanner continue at `start`, searching from `search`, after the binding moved the bytes. */
export function seek(start: usize, search: usize): void {
  recordStart = start;
  searchFrom = search;
}

let pausedStart: usize = 0;
let pausedSearch: usize = 0;

/** Leaves the record that is not yet complete, to scan others that are. */
export function pause(): void {
  pausedStart = recordStart;
  pausedSearch = searchFrom;
  pauseQuotes();
}

/** Goes on with it. */
export function goOn(): void {
  seek(pausedStart, pausedSearch);
  goOnWithQuotes();
}

/** Makes 2 of the match of each kept record that is a comment. */
export function leaveComments(start: usize, count: u32, matches: usize): void {
  if (commentLength == 0) return;
  for (let i: usize = 0; i < (count as usize); i++) {
    if (isComment(start)) store<u8>(matches + i, 2);
    start = load<u32>(ends + (i << 2)) as usize;
  }
}

/** Comments among the first `count` records of the batch, which begins at `start`; those that are not kept are in no count. */
export function countComments(start: usize, count: u32): u32 {
  if (commentLength == 0 || ends == 0) return 0;
  let comments: u32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    comments += isComment(start) as u32;
    start = load<u32>(ends + (i << 2)) as usize;
  }
  return comments;
}

export function clearRecords(): void {
  recordCount = 0;
  clearOwners();
}
