// Records and fields of CSV (RFC 4180). A field that begins with a quote ends at the next single quote; two quotes
// stand for one. It may contain delimiters and newlines. Elsewhere a quote is an ordinary character. The functions read
// up to 64 bytes after the end of a record.

import { copyTo, decodedEnd, keepDecoded } from "./decoded";

export const QUOTE: u8 = 34;

let delimiter: u8 = 44;

/** Sets the delimiter of fields. */
export function configureCsv(between: u8): void {
  delimiter = between;
}

/**
 * The state of the search for the end of a record: outside quotes, inside quotes, or after a quote. That quote ends the
 * field or is the first of two.
 */
const OUTSIDE: u32 = 0;
const INSIDE: u32 = 1;
const BEHIND: u32 = 2;

let place: u32 = OUTSIDE;
/** The offset in the record of the quote before the present position. */
let quoteAt: usize = 0;

/** Resets the state. The next newline then ends the record, or a new record begins. */
export function leaveQuotes(): void {
  place = OUTSIDE;
}

let pausedPlace: u32 = OUTSIDE;
let pausedQuote: usize = 0;

/** Saves the state of the record, so that another record can be searched. */
export function pauseQuotes(): void {
  pausedPlace = place;
  pausedQuote = quoteAt;
  place = OUTSIDE;
}

/** Restores the saved state. */
export function resumeQuotes(): void {
  place = pausedPlace;
  quoteAt = pausedQuote;
}

/**
 * Handles a quote or newline at `at` in the record that begins at `start`. Returns true for a newline that ends the
 * record.
 */
@inline
export function endsRecord(start: usize, at: usize): bool {
  const isQuote = load<u8>(at) == QUOTE;
  if (place == INSIDE) {
    if (isQuote) {
      place = BEHIND;
      quoteAt = at - start;
    }
    return false;
  }
  if (place == BEHIND && isQuote && at - start == quoteAt + 1) {
    place = INSIDE;
    return false;
  }
  place = isQuote && (at == start || load<u8>(at - 1) == delimiter) ? INSIDE : OUTSIDE;
  return !isQuote;
}

/** The first such byte in [at, end), or `end`. */
@inline
function findByte(at: usize, end: usize, byte: u8): usize {
  const pattern = i8x16.splat(byte);
  for (; at < end; at += 16) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(at), pattern));
    if (mask) return min(at + (ctz(mask) as usize), end);
  }
  return end;
}

/** The value of the field that `nextCsvField` found, and the address where the next field begins. */
export let csvStart: usize = 0;
export let csvEnd: usize = 0;
export let csvAfter: usize = 0;

/** Finds the field of a record that begins at `at`. Returns false if no field is left, which `at` = `end` + 1 means. */
export function nextCsvField(at: usize, end: usize): bool {
  if (at > end) return false;
  if (at == end || load<u8>(at) != QUOTE) {
    csvStart = at;
    csvEnd = findByte(at, end, delimiter);
    csvAfter = csvEnd + 1;
    return true;
  }
  const first = at + 1;
  let quote = findByte(first, end, QUOTE);
  csvStart = first;
  csvEnd = quote;
  csvAfter = quote + 2;
  // The usual case: the field has no quotes inside, and a delimiter or the end follows its last quote.
  if (quote + 1 >= end || load<u8>(quote + 1) == delimiter) return true;
  csvStart = decodedEnd;
  let out = copyTo(csvStart, first, quote - first);
  while (quote + 1 < end && load<u8>(quote + 1) == QUOTE) {
    const from = quote + 1;
    quote = findByte(from + 1, end, QUOTE);
    out = copyTo(out, from, quote - from);
  }
  const behind = min(quote + 1, end);
  csvAfter = findByte(behind, end, delimiter);
  csvEnd = copyTo(out, behind, csvAfter - behind);
  csvAfter++;
  keepDecoded(csvEnd);
  return true;
}
