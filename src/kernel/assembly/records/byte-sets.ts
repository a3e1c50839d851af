// A set of ASCII characters, sixteen bytes at a time: a row of bits for each lower half of a byte, in which the upper half
// picks one (Mula & Langdale, "SIMD byte lookup").

/** The rows: bit h of the byte at l is set where the character 16 h + l is in the set. */
let rows: usize = 0;

/** Sets where the 16 rows of the set are. */
export function configureSet(rowsAt: usize): void {
  rows = rowsAt;
}

/** The rows of the set, for loops to hold. */
@inline
export function setRows(): v128 {
  return v128.load(rows);
}

/** 255 for each byte that is in the set, else 0. */
@inline
export function inSet(bytes: v128, row: v128): v128 {
  // What is not ASCII picks no row.
  const picked = i8x16.swizzle(row, v128.and(bytes, i8x16.splat(0x8f as i8)));
  const bit = i8x16.swizzle(
    i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128),
    v128.and(i16x8.shr_u(bytes, 4), i8x16.splat(7)),
  );
  return i8x16.ne(v128.and(picked, bit), i8x16.splat(0));
}

/** First byte in [at, end) that is in the set, else `end`. */
@inline
export function findInSet(at: usize, end: usize): usize {
  const row = setRows();
  for (; at < end; at += 16) {
    const mask = i8x16.bitmask(inSet(v128.load(at), row));
    if (mask) return min(at + (ctz(mask) as usize), end);
  }
  return end;
}

/** First byte in [at, end) that is not, else `end`. */
@inline
export function findOutsideSet(at: usize, end: usize): usize {
  const row = setRows();
  for (; at < end; at += 16) {
    const mask = i8x16.bitmask(inSet(v128.load(at), row)) ^ 0xffff;
    if (mask) return min(at + (ctz(mask) as usize), end);
  }
  return end;
}
