// Blanks: spaces and tabs. The functions read up to 16 bytes after the end of the searched bytes.

const SPACE: u8 = 32;
const TAB: u8 = 9;

@inline
export function isBlank(byte: u8): bool {
  return byte == SPACE || byte == TAB;
}

/** The first byte in [at, end) that is not a blank, or `end`. */
export function skipBlanks(at: usize, end: usize): usize {
  while (at < end && isBlank(load<u8>(at))) at++;
  return at;
}

/** The end of [start, end) without trailing blanks. */
export function dropBlanks(start: usize, end: usize): usize {
  while (end > start && isBlank(load<u8>(end - 1))) end--;
  return end;
}

/** The first blank in [at, end), or `end`. */
@inline
export function findBlank(at: usize, end: usize): usize {
  const space = i8x16.splat(SPACE);
  const tab = i8x16.splat(TAB);
  for (; at < end; at += 16) {
    const bytes = v128.load(at);
    const mask = i8x16.bitmask(v128.or(i8x16.eq(bytes, space), i8x16.eq(bytes, tab)));
    if (mask) return min(at + (ctz(mask) as usize), end);
  }
  return end;
}
