// Four messages of one block each, side by side: lane i of a vector belongs to message i. MD5, SHA-1 and SHA-256 read
// them as 16 words, which `layOut` writes.

/** Bytes of a key that fit in one block, with the bit that ends it and its length. */
export const SHORT: usize = 55;

const WORD: usize = 16;

/** The offset of a vector in the schedule. */
@inline
export function at(schedule: usize, i: u32): usize {
  return schedule + ((i as usize) << 4);
}

@inline
export function add(a: v128, b: v128): v128 {
  return i32x4.add(a, b);
}

@inline
export function rotated(x: v128, by: i32): v128 {
  return v128.or(i32x4.shl(x, by), i32x4.shr_u(x, 32 - by));
}

/** Bytes 16i to 16i + 15 of a padded key of at most `SHORT` bytes, without its length. Reads bytes after the key. */
@inline
function padded(key: usize, length: usize, i: u32): v128 {
  const places = i8x16.add(i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), i8x16.splat((i << 4) as i8));
  const end = i8x16.splat(length as i8);
  const bytes = v128.and(v128.load(key + ((i as usize) << 4)), i8x16.lt_u(places, end));
  return v128.or(bytes, v128.and(i8x16.eq(places, end), i8x16.splat(0x80 as i8)));
}

@inline
export function swapped(words: v128): v128 {
  return i8x16.shuffle(words, words, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
}

/** The first words of four vectors as one, then the second words, and so on, at `to`. */
@inline
export function transpose(a: v128, b: v128, c: v128, d: v128, to: usize): void {
  const low0 = i32x4.shuffle(a, b, 0, 4, 1, 5);
  const low1 = i32x4.shuffle(c, d, 0, 4, 1, 5);
  const high0 = i32x4.shuffle(a, b, 2, 6, 3, 7);
  const high1 = i32x4.shuffle(c, d, 2, 6, 3, 7);
  v128.store(to, i64x2.shuffle(low0, low1, 0, 2));
  v128.store(to + WORD, i64x2.shuffle(low0, low1, 1, 3));
  v128.store(to + 2 * WORD, i64x2.shuffle(high0, high1, 0, 2));
  v128.store(to + 3 * WORD, i64x2.shuffle(high0, high1, 1, 3));
}

/** Writes the words of four padded keys, whose u64 spans are at `spans`. */
export function layOut(spans: usize, schedule: usize, isBigEndian: bool): void {
  const a = load<u64>(spans);
  const b = load<u64>(spans, 8);
  const c = load<u64>(spans, 16);
  const d = load<u64>(spans, 24);
  for (let i: u32 = 0; i < 4; i++) {
    let first = padded(a as u32, (a >> 32) as usize, i);
    let second = padded(b as u32, (b >> 32) as usize, i);
    let third = padded(c as u32, (c >> 32) as usize, i);
    let fourth = padded(d as u32, (d >> 32) as usize, i);
    if (isBigEndian) {
      first = swapped(first);
      second = swapped(second);
      third = swapped(third);
      fourth = swapped(fourth);
    }
    transpose(first, second, third, fourth, at(schedule, i << 2));
  }
  const bits = i32x4.shl(i32x4((a >> 32) as i32, (b >> 32) as i32, (c >> 32) as i32, (d >> 32) as i32), 3);
  v128.store(at(schedule, isBigEndian ? 15 : 14), bits);
}
