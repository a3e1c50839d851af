// Records and fields of CSV (RFC 4180): a field that begins with a quote ends at the next one that is not one of two, and may have
// delimiters and newlines before. Elsewhere a quote is a character as others are. Reads up to 64 bytes past the end of a record.

import { copyTo, decodedEnd, keepDecoded } from "./decoded";

export const QUOTE: u8 = 34;

let delimiter: u8 = 44;

/** Sets what is between fields. */
export function configureCsv(between: u8): void {
  delimiter = between;
}

/** Where a record that is searched for its end stands: not in quotes, in them, or behind a quote that ends them or is the first of two. */
const OUTSIDE: u32 = 0;
const INSIDE: u32 = 1;
const BEHIND: u32 = 2;

let place: u32 = OUTSIDE;
/** How far from the beginning of the record the quote is that it stands behind. */
let quoteAt: usize = 0;

/** Lets the record that is searched end with the next newline, wherever it stands, or another one begin. */
export function leaveQuotes(): void {
  place = OUTSIDE;
}

let pausedPlace: u32 = OUTSIDE;
let pausedQuote: usize = 0;

/** Leaves the record that is searched, for another one to begin. */
export function pauseQuotes(): void {
  pausedPlace = place;
  pausedQuote = quoteAt;
  place = OUTSIDE;
}

/** Goes on with it. */
export function goOnWithQuotes(): void {
  place = pausedPlace;
  quoteAt = pausedQuote;
}

/**
 * Takes note of a quote at `at` or of a newline in the record that begins at `start`. True for a newline that ends it.
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

/** First such byte in [at, end), else `end`. */
@inline
function findByte(at: usize, end: usize, byte: u8): usize {
  const pattern = i8x16.splat(byte);
  for (; at < end; at += 16) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(at), pattern));
    if (mask) return min(at + (ctz(mask) as usize), end);
  }
  return end;
}

/** The value of the field that `nextCsvField` found, and where to seek the one after it. */
export let csvStart: usize = 0;
export let csvEnd: usize = 0;
export let csvAfter: usize = 0;

/** Finds the field of a record that starts at `at`; false if none is left, which `at` = `end` + 1 says. */
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
  // As nearly always: no quote is inside, and nothing is behind the last one.
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
