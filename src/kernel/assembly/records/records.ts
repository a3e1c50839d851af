// From bytes to records to keys.
//
// The scanner walks the bytes that the binding read into memory, 64 at a time. A comparison gives a bit mask of the
// terminators, and its bits are the ends of records. The position of each key is appended to `spans`. The steps after
// the scanner (encode.ts, and one file per hash) are separate loops. This costs nothing: the processor overlaps the
// work for several keys only in short loops.
//
// `configureRecords` sets once what a record contributes. The scanner reads up to 64 bytes after the end of the input,
// where the binding keeps padding.

import { endsRecord, resumeQuotes, pauseQuotes, QUOTE } from "./csv";
import { pushFields } from "./field-lists";
import { fieldAfter, fieldEnd, fieldStart, nextField } from "./fields";
import { pushValue } from "./json-values";
import { clearOwners, configureKeys, keyCount, keyLimit, owners, keepKeys, spans, storeKey } from "./keys";
import { isSkipped, skipsAny, withoutTrailing } from "./skipped";
import { storeSpan } from "../spans";
import { pushTokens } from "./tokens";
import { pushWords } from "./words";

/**
 * The keys of a record:
 * - WHOLE: the record;
 * - FIELD: one field;
 * - FIELDS: the fields of a list;
 * - TOKENS: tokens between bytes of a set;
 * - WORDS: words;
 * - VALUE: the value at a JSON path;
 * - CSV: fields of a CSV record;
 * - OWNED: the record, with its owner.
 */
const WHOLE: u32 = 0;
const FIELD: u32 = 1;
const FIELDS: u32 = 2;
const TOKENS: u32 = 3;
const WORDS: u32 = 4;
const VALUE: u32 = 5;
const CSV: u32 = 6;
const OWNED: u32 = 7;

/** Why `scan` stopped: all bytes were seen, or a batch must be handled before the scan goes on. */
const DRAINED: u32 = 0;
const KEYS_FULL: u32 = 1;
const RECORDS_FULL: u32 = 2;

let terminator: u8 = 10;
/** 1 if a CR before the terminator does not belong to the record, else 0. */
let dropsReturn: u32 = 1;
let selection: u32 = WHOLE;
let field: u32 = 1;

/**
 * Sets the terminator of records, and what their keys are; `wanted` is the number of a single field, from 1. If the
 * terminator is LF, one CR before it is removed.
 */
export function configureRecords(end: u8, select: u32, wanted: u32): void {
  terminator = end;
  dropsReturn = (end == 10) as u32;
  selection = select;
  field = wanted;
}

let ends: usize = 0;
let recordLimit: u32 = 0;

/**
 * Sets the buffers of a batch and their limits, which are at least 64:
 * - u64 spans of keys;
 * - u32 owners, the record of each key; 0 if not needed, because keys are whole records and none is skipped;
 * - u32 ends, the address after each record's terminator; 0 if not needed.
 */
export function configureBatch(spansAt: usize, ownersAt: usize, keys: u32, endsAt: usize, records: u32): void {
  configureKeys(spansAt, ownersAt, keys);
  ends = endsAt;
  recordLimit = records;
}

/** The number of records of the present batch. The binding resets it after the batch. */
export let recordCount: u32 = 0;

/** The first byte of the record that is not yet complete, and the first byte that was not searched for its end. */
export let recordStart: usize = 0;
export let searchFrom: usize = 0;

/** Whether the keys were full in the middle of that record. */
let isHalfDone: bool = false;

/** Finds the selected field of the record [start, end). Returns false if the record lacks it. */
@inline
function findField(start: usize, end: usize): bool {
  let at = start;
  for (let number: u32 = 1; nextField(at, end); number++) {
    if (number == field) return true;
    at = fieldAfter;
  }
  return false;
}

/** Appends the keys of the record [start, end). Returns false if the keys were full before its last key. */
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

/** The end of the key of a record whose terminator is at `end`. A branch would take more instructions. */
@inline
function withoutReturn(start: usize, end: usize, drops: u32): usize {
  return end - ((drops & ((end > start) as u32) & ((load<u8>(end - 1) == 13) as u32)) as usize);
}

/** Appends the remaining keys of a record that did not fit. Returns false if they still do not fit. */
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

/** Scans up to `to` for the keys that `select` names. With `skips` some records can be skipped. */
@inline
function scanBlocks(to: usize, select: u32, skips: bool): u32 {
  const pattern = i8x16.splat(terminator);
  const drops = dropsReturn;
  let start = recordStart;
  let records = recordCount;
  let keys = keyCount;
  let status = DRAINED;
  let at = searchFrom;
  for (; at < to; at += 64) {
    // A block has at most 64 records. A check for 64 of them avoids a check per record.
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
      if (skips && isSkipped(start)) {
        start = end + 1;
        if (ends) store<u32>(ends + ((records++ as usize) << 2), start as u32);
        continue;
      }
      let keyEnd = withoutReturn(start, end, drops);
      if (skips) keyEnd = withoutTrailing(start, keyEnd);
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

/**
 * Like `scanBlocks`, for CSV records, whose newlines may be in quotes. Comments are lines, and their prefixes have no
 * quotes.
 */
function scanCsv(to: usize, skips: bool): u32 {
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
      const isComment = skips && isSkipped(recordStart);
      if (isComment ? load<u8>(end) == QUOTE : !endsRecord(recordStart, end)) continue;
      isHalfDone =
        !isComment && !pushFields(recordStart, withoutReturn(recordStart, end, dropsReturn), recordCount);
      if (isHalfDone) {
        searchFrom = end;
        return KEYS_FULL;
      }
      recordStart = end + 1;
      if (isComment && !ends) continue;
      if (ends) store<u32>(ends + ((recordCount as usize) << 2), recordStart as u32);
      recordCount++;
    }
  }
  searchFrom = min(at, to);
  return status;
}

/** Scans up to `to`, from where the last scan stopped. Each sort of keys has its own loop. */
export function scan(to: usize): u32 {
  // The unfinished record comes first. The batch can hold this record, but perhaps no other, and must not end before
  // it.
  if (isHalfDone && !resumeRecord()) return KEYS_FULL;
  const skips = skipsAny();
  if (selection == CSV) return scanCsv(to, skips);
  if (selection == WHOLE) {
    if (skips) return scanBlocks(to, OWNED, true);
    return owners ? scanBlocks(to, OWNED, false) : scanBlocks(to, WHOLE, false);
  }
  return selection == FIELD ? scanBlocks(to, FIELD, skips) : scanBlocks(to, FIELDS, skips);
}

/** Makes the scanner continue at `start`, with the search at `search`, after the binding moved the bytes. */
export function seek(start: usize, search: usize): void {
  recordStart = start;
  searchFrom = search;
}

let pausedStart: usize = 0;
let pausedSearch: usize = 0;

/** Saves the state of the incomplete record, so that other, complete records can be scanned. */
export function pause(): void {
  pausedStart = recordStart;
  pausedSearch = searchFrom;
  pauseQuotes();
}

/** Restores the saved state. */
export function resume(): void {
  seek(pausedStart, pausedSearch);
  resumeQuotes();
}

/** Sets the match of each skipped record that is kept to 2. */
export function unmatchSkipped(start: usize, count: u32, matches: usize): void {
  if (!skipsAny()) return;
  for (let i: usize = 0; i < (count as usize); i++) {
    if (isSkipped(start)) store<u8>(matches + i, 2);
    start = load<u32>(ends + (i << 2)) as usize;
  }
}

/**
 * The number of skipped records among the first `count` records of the batch, which begins at `start`. Records whose
 * ends are not kept are never counted.
 */
export function countSkipped(start: usize, count: u32): u32 {
  if (!skipsAny() || ends == 0) return 0;
  let skipped: u32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    skipped += isSkipped(start) as u32;
    start = load<u32>(ends + (i << 2)) as usize;
  }
  return skipped;
}

export function clearRecords(): void {
  recordCount = 0;
  clearOwners();
}
