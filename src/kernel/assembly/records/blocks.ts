// Blocks of 64 bytes as bit masks, with one bit per byte.

/** The highest bits of the bytes of a block. */
@inline
export function maskOf(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    (i8x16.bitmask(a) as u32 as u64) |
    ((i8x16.bitmask(b) as u32 as u64) << 16) |
    ((i8x16.bitmask(c) as u32 as u64) << 32) |
    ((i8x16.bitmask(d) as u32 as u64) << 48)
  );
}

/** The bytes of a block that are equal to a byte. */
@inline
export function equalTo(at: usize, byte: v128): u64 {
  return maskOf(
    i8x16.eq(v128.load(at), byte),
    i8x16.eq(v128.load(at, 16), byte),
    i8x16.eq(v128.load(at, 32), byte),
    i8x16.eq(v128.load(at, 48), byte),
  );
}

/** The bytes of a block before the end of a record. */
@inline
export function within(at: usize, end: usize): u64 {
  return end - at < 64 ? ((1 as u64) << ((end - at) as u64)) - 1 : u64.MAX_VALUE;
}

/** The bytes that are digits. */
@inline
export function isDigit(bytes: v128): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(10));
}

/** The dots of a block that have digits on both sides. Bytes beside the block count as digits. */
@inline
export function inNumbers(dots: u64, at: usize): u64 {
  const digits = maskOf(
    isDigit(v128.load(at)),
    isDigit(v128.load(at, 16)),
    isDigit(v128.load(at, 32)),
    isDigit(v128.load(at, 48)),
  );
  return dots & ((digits << 1) | 1) & ((digits >> 1) | ((1 as u64) << 63));
}
