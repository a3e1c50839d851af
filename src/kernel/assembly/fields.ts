// Fields and tokens of a record. Reads up to 16 bytes past the end of a record: the binding keeps padding there.

const SPACE: u8 = 32;
const TAB: u8 = 9;

@inline
function isBlank(byte: u8): bool {
  return byte == SPACE || byte == TAB;
}

/** First byte in [at, end) that is no blank, else `end`. */
export function skipBlanks(at: usize, end: usize): usize {
  while (at < end && isBlank(load<u8>(at))) at++;
  return at;
}

/** End of [start, end) without the blanks before it. */
export function dropBlanks(start: usize, end: usize): usize {
  while (end > start && isBlank(load<u8>(end - 1))) end--;
  return end;
}

/** First blank in [at, end), else `end`. */
@inline
function findBlank(at: usize, end: usize): usize {
  const space = i8x16.splat(SPACE);
  const tab = i8x16.splat(TAB);
  for (; at < end; at += 16) {
    const bytes = v128.load(at);
    const mask = i8x16.bitmask(v128.or(i8x16.eq(bytes, space), i8x16.eq(bytes, tab)));
    if (mask) return min(at + (ctz(mask) as usize), end);
  }
  return end;
}

/** First occurrence of the delimiter within [at, end), else `end`. */
@inline
function findDelimiter(at: usize, end: usize, delimiter: usize, length: u32): usize {
  const first = i8x16.splat(load<u8>(delimiter));
  for (; at < end; at += 16) {
    let mask = i8x16.bitmask(i8x16.eq(v128.load(at), first));
    while (mask) {
      const found = at + (ctz(mask) as usize);
      if (found + (length as usize) > end) return end;
      if (length == 1 || memory.compare(found + 1, delimiter + 1, (length - 1) as usize) == 0) return found;
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
 * Finds the field of a record that starts at or after `at`; false if none is left. A delimiter of length 0 means runs
 * of blanks, as awk splits; else fields are what stands between delimiters, as cut splits: empty ones count, and
 * `at` = `end` + 1 says that the last one was taken.
 */
@inline
export function nextField(at: usize, end: usize, delimiter: usize, length: u32): bool {
  if (length == 0) {
    fieldStart = skipBlanks(at, end);
    if (fieldStart >= end) return false;
    fieldEnd = findBlank(fieldStart, end);
    fieldAfter = fieldEnd;
    return true;
  }
  if (at > end) return false;
  fieldStart = at;
  fieldEnd = findDelimiter(at, end, delimiter, length);
  fieldAfter = fieldEnd == end ? end + 1 : fieldEnd + (length as usize);
  return true;
}
