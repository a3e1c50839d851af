// Membership in a set of ASCII characters, sixteen bytes at a time (Mula & Langdale, "SIMD byte lookup"). The low half
// of a byte selects a row of bits, and the high half a bit of the row.

/** The rows: bit h of byte l is set if the character 16 h + l is in the set. */
let rows: usize = 0;

/** Sets the address of the 16 rows of the set. */
export function configureSet(rowsAt: usize): void {
  rows = rowsAt;
}

/** The rows of the set, which loops hold in a local variable. */
@inline
export function setRows(): v128 {
  return v128.load(rows);
}

/** 255 for each byte in the set, else 0. */
@inline
export function inSet(bytes: v128, row: v128): v128 {
  // A byte outside ASCII selects no row.
  const picked = i8x16.swizzle(row, v128.and(bytes, i8x16.splat(0x8f as i8)));
  const bit = i8x16.swizzle(
    i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128),
    v128.and(i16x8.shr_u(bytes, 4), i8x16.splat(7)),
  );
  return i8x16.ne(v128.and(picked, bit), i8x16.splat(0));
}

/** The first byte in [at, end) that is in the set, or `end`. */
@inline
export function findInSet(at: usize, end: usize): usize {
  const row = setRows();
  for (; at < end; at += 16) {
    const mask = i8x16.bitmask(inSet(v128.load(at), row));
    if (mask) return min(at + (ctz(mask) as usize), end);
  }
  return end;
}

/** The first byte in [at, end) that is not in the set, or `end`. */
@inline
export function findOutsideSet(at: usize, end: usize): usize {
  const row = setRows();
  for (; at < end; at += 16) {
    const mask = i8x16.bitmask(inSet(v128.load(at), row)) ^ 0xffff;
    if (mask) return min(at + (ctz(mask) as usize), end);
  }
  return end;
}
