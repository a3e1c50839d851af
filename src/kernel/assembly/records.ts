// Bytes -> records -> keys -> digests.
//
// The scanner walks the bytes that the binding read into memory, 64 at a time: a comparison makes one bit mask of
// the terminators, and the mask's bits are the ends of records. A key's digest is appended to `digests`; keys are
// never copied. What a record contributes is set once by `configureRecords`. The scanner reads up to 64 bytes past
// the end of the input: the binding keeps padding there.

import { dropBlanks, fieldAfter, fieldEnd, fieldStart, nextField, skipBlanks } from "./fields";
import { murmur3, murmur3Folded } from "./murmur3";
import { xxh3, xxh3Folded } from "./xxh3";
import { xxh64, xxh64Folded } from "./xxh64";

/** What the keys of a record are: the record, one field of it, or each of its fields. */
const WHOLE: u32 = 0;
const FIELD: u32 = 1;

/** Hashes, by the ids that stand in files. */
const XXH64: u32 = 1;
const XXH3: u32 = 2;
const MURMUR3: u32 = 3;

/** No hash: keys that `pushKeys` finds. */
const ANY_KEYS: u32 = 0;

/** What `scan` stopped for: all bytes were seen, or a batch must be applied before it goes on. */
const DRAINED: u32 = 0;
const KEYS_FULL: u32 = 1;
const RECORDS_FULL: u32 = 2;

let terminator: u8 = 10;
let selection: u32 = WHOLE;
let field: u32 = 1;
let delimiter: usize = 0;
let delimiterLength: u32 = 0;
let fold: bool = false;
let trim: bool = false;
let hash: u32 = XXH64;
let seed: u64 = 0;

/**
 * Sets how bytes become keys and digests. A separator of length 0 means runs of blanks; `wanted` counts fields from 1.
 * With LF as the terminator one CR before it is dropped.
 */
export function configureRecords(
  end: u8, select: u32, wanted: u32, separator: usize, separatorLength: u32, ignoreCase: bool, trimBlanks: bool,
  hashId: u32, hashSeed: u64,
): void {
  terminator = end;
  selection = select;
  field = wanted;
  delimiter = separator;
  delimiterLength = separatorLength;
  fold = ignoreCase;
  trim = trimBlanks;
  hash = hashId;
  seed = hashSeed;
}

let digests: usize = 0;
let owners: usize = 0;
let keyLimit: u32 = 0;
let ends: usize = 0;
let recordLimit: u32 = 0;

/**
 * Sets where a batch goes and how much it holds: u64 digests; u32 owners, the record of each key (0: not wanted);
 * u32 ends, the address past each record's terminator (0: not wanted). Limits are at least 64.
 */
export function configureBatch(digestsAt: usize, ownersAt: usize, keys: u32, endsAt: usize, records: u32): void {
  digests = digestsAt;
  owners = ownersAt;
  keyLimit = keys;
  ends = endsAt;
  recordLimit = records;
}

/** Keys and records of the current batch; the binding resets them once it has applied them. */
export let keyCount: u32 = 0;
export let recordCount: u32 = 0;

/** First byte of the record that is not yet complete, and first byte not yet searched for its end. */
export let recordStart: usize = 0;
export let searchFrom: usize = 0;

/** Where the next field of that record is sought, when the keys were full in the middle of it; else 0. */
let fieldFrom: usize = 0;

/**
 * The digest where the hash is 0, which MurmurHash3 gives for the empty key: all probes of a digest of 0 are one, which
 * would make that key a false positive in every other filter.
 */
const MURMUR3_ZERO: u64 = 0x9e3779b97f4a7c15;

@inline
function hashed(by: u32, start: usize, length: usize): u64 {
  if (by == XXH3) return xxh3(start, length, seed);
  if (by == MURMUR3) return murmur3(start, length, seed) ^ MURMUR3_ZERO;
  return xxh64(start, length, seed);
}

@inline
function hashedFolded(by: u32, start: usize, length: usize): u64 {
  if (by == XXH3) return xxh3Folded(start, length, seed);
  if (by == MURMUR3) return murmur3Folded(start, length, seed) ^ MURMUR3_ZERO;
  return xxh64Folded(start, length, seed);
}

@inline
function push(start: usize, end: usize): void {
  if (trim) {
    start = skipBlanks(start, end);
    end = dropBlanks(start, end);
  }
  const length = end - start;
  const digest = fold ? hashedFolded(hash, start, length) : hashed(hash, start, length);
  store<u64>(digests + ((keyCount as usize) << 3), digest);
  if (owners) store<u32>(owners + ((keyCount as usize) << 2), recordCount);
  keyCount++;
}

/** Appends the keys of the record [start, end); false if the keys were full before its last one. */
function pushKeys(start: usize, end: usize): bool {
  if (selection == WHOLE) {
    push(start, end);
    return true;
  }
  let at = fieldFrom ? fieldFrom : start;
  fieldFrom = 0;
  let number: u32 = 0;
  while (nextField(at, end, delimiter, delimiterLength)) {
    if (keyCount == keyLimit) {
      fieldFrom = at;
      return false;
    }
    at = fieldAfter;
    if (selection == FIELD) {
      if (++number < field) continue;
      push(fieldStart, fieldEnd);
      break;
    }
    push(fieldStart, fieldEnd);
  }
  return true;
}

@inline
function terminators(at: usize, pattern: v128): u64 {
  const a = i8x16.bitmask(i8x16.eq(v128.load(at), pattern)) as u32 as u64;
  const b = i8x16.bitmask(i8x16.eq(v128.load(at, 16), pattern)) as u32 as u64;
  const c = i8x16.bitmask(i8x16.eq(v128.load(at, 32), pattern)) as u32 as u64;
  const d = i8x16.bitmask(i8x16.eq(v128.load(at, 48), pattern)) as u32 as u64;
  return a | (b << 16) | (c << 32) | (d << 48);
}

/** End of the key of a record whose terminator stands at `end`. */
@inline
function withoutReturn(start: usize, end: usize): usize {
  return terminator == 10 && end > start && load<u8>(end - 1) == 13 ? end - 1 : end;
}

/** Ends the record whose last keys had to wait; false if they still do not fit. */
function resumeRecord(): bool {
  if (!pushKeys(recordStart, withoutReturn(recordStart, searchFrom))) return false;
  recordStart = searchFrom + 1;
  searchFrom = recordStart;
  if (ends) store<u32>(ends + ((recordCount as usize) << 2), recordStart as u32);
  recordCount++;
  return true;
}

/** Scans up to `to`; whole records as they are, hashed by `by`, keep their counters in locals. */
@inline
function scanBlocks(to: usize, by: u32): u32 {
  const pattern = i8x16.splat(terminator);
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
    while (mask) {
      const end = at + (ctz(mask) as usize);
      mask &= mask - 1;
      const keyEnd = withoutReturn(start, end);
      if (by != ANY_KEYS) {
        store<u64>(digests + ((keys as usize) << 3), hashed(by, start, keyEnd - start));
        keys++;
      } else {
        keyCount = keys;
        recordCount = records;
        const complete = pushKeys(start, keyEnd);
        keys = keyCount;
        if (!complete) {
          recordStart = start;
          searchFrom = end;
          return KEYS_FULL;
        }
      }
      start = end + 1;
      if (ends) store<u32>(ends + ((records as usize) << 2), start as u32);
      records++;
    }
  }
  recordStart = start;
  searchFrom = min(at, to);
  recordCount = records;
  keyCount = keys;
  return status;
}

/** Scans up to `to`, from where it stopped: for each hash of whole records there is a loop that knows it. */
export function scan(to: usize): u32 {
  // First, and by itself: the batch has room for this record, but perhaps for no other, and must not end before it.
  if (fieldFrom && !resumeRecord()) return KEYS_FULL;
  if (selection != WHOLE || fold || trim || owners) return scanBlocks(to, ANY_KEYS);
  if (hash == XXH3) return scanBlocks(to, XXH3);
  if (hash == MURMUR3) return scanBlocks(to, MURMUR3);
  return scanBlocks(to, XXH64);
}

/** Lets the scanner continue at `start`, searching from `search`, after the binding moved the bytes. */
export function seek(start: usize, search: usize): void {
  recordStart = start;
  searchFrom = search;
}

export function clearKeys(): void {
  keyCount = 0;
}

export function clearRecords(): void {
  recordCount = 0;
}
