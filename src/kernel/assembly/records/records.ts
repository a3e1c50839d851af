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
import { isLeftOut, leavesOut, withoutTrailing } from "./left-out";
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
  const end = withoutTrailing(recordStart, withoutReturn(recordStart, searchFrom, dropsReturn));
  isHalfDone = !pushKeys(recordStart, end, recordCount);
  if (isHalfDone) return false;
  recordStart = searchFrom + 1;
  searchFrom = recordStart;
  if (ends) store<u32>(ends + ((recordCount as usize) << 2), recordStart as u32);
  recordCount++;
  return true;
}

/** Scans up to `to` for keys of the sort `select`; with `leaves` some records may be left out. */
@inline
function scanBlocks(to: usize, select: u32, leaves: bool): u32 {
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
      if (leaves && isLeftOut(start)) {
        start = end + 1;
        if (ends) store<u32>(ends + ((records++ as usize) << 2), start as u32);
        continue;
      }
      let keyEnd = withoutReturn(start, end, drops);
      if (leaves) keyEnd = withoutTrailing(start, keyEnd);
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

/** The same for records of CSV, whose newlines may be in quotes. Comments are lines, and their prefixes have no quotes. */
function scanCsv(to: usize, leaves: bool): u32 {
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
      const isLeft = leaves && isLeftOut(recordStart);
      if (isLeft ? load<u8>(end) == QUOTE : !endsRecord(recordStart, end)) continue;
      isHalfDone =
        !isLeft && !pushFields(recordStart, withoutReturn(recordStart, end, dropsReturn), recordCount);
      if (isHalfDone) {
        searchFrom = end;
        return KEYS_FULL;
      }
      recordStart = end + 1;
      if (isLeft && !ends) continue;
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
  const leaves = leavesOut();
  if (selection == CSV) return scanCsv(to, leaves);
  if (selection == WHOLE) {
    if (leaves) return scanBlocks(to, OWNED, true);
    return owners ? scanBlocks(to, OWNED, false) : scanBlocks(to, WHOLE, false);
  }
  return selection == FIELD ? scanBlocks(to, FIELD, leaves) : scanBlocks(to, FIELDS, leaves);
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

/** Makes 2 of the match of each kept record that is left out. */
export function unmatchLeftOut(start: usize, count: u32, matches: usize): void {
  if (!leavesOut()) return;
  for (let i: usize = 0; i < (count as usize); i++) {
    if (isLeftOut(start)) store<u8>(matches + i, 2);
    start = load<u32>(ends + (i << 2)) as usize;
  }
}

/** Records among the first `count` of the batch, which begins at `start`, that are left out; those that are not kept are in no count. */
export function countLeftOut(start: usize, count: u32): u32 {
  if (!leavesOut() || ends == 0) return 0;
  let leftOut: u32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    leftOut += isLeftOut(start) as u32;
    start = load<u32>(ends + (i << 2)) as usize;
  }
  return leftOut;
}

export function clearRecords(): void {
  recordCount = 0;
  clearOwners();
}
