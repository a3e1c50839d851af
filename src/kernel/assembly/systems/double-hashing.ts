// Positions by double hashing (Kirsch & Mitzenmacher 2006), from two halves of a digest: h1 + i h2 mod m. Systems
// differ in the bits and the sign of the sum.
//
// Each loop writes the positions `from` to `to` of each of `count` keys, u64 each. `keys` has the u32 indices of the
// digests. The first parameter is m.

import { reciprocal, remainder } from "./remainder";

/** (h1 + i h2) mod m, i from 0, of digests of two words. The mask limits the bits of the sum. */
@inline
function ofTwoWords(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize, mask: u64,
): void {
  const m = load<u64>(parameters);
  const inverse = reciprocal(m);
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + ((load<u32>(keys) as usize) << 4);
    const step = load<u64>(digest, 8);
    let x = load<u64>(digest) + (from as u64) * step;
    let i = from;
    do {
      store<u64>(positions, remainder(x & mask, m, inverse));
      positions += 8;
      x += step;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}

/** (h1 + i h2 mod 2^64) mod m, i from 0, of digests of two words. */
export function doubleHashing(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  ofTwoWords(digests, keys, count, from, to, positions, parameters, u64.MAX_VALUE);
}

/** (h1 + i h2 mod 2^63) mod m, i from 0, of digests of two words. */
export function doubleHashing63(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  ofTwoWords(digests, keys, count, from, to, positions, parameters, u64.MAX_VALUE >> 1);
}

/**
 * h1 + i h2 mod m, i from 1, where the sum has 32 bits and a negative sum is complemented. h1 is the low half of the
 * first word of a digest, h2 the high half. The second parameter is the bytes of a digest.
 */
export function doubleHashing32(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const m = load<u64>(parameters);
  const inverse = reciprocal(m);
  const size = load<u64>(parameters, 8) as usize;
  const end = keys + ((count as usize) << 2);
  do {
    const digest = digests + (load<u32>(keys) as usize) * size;
    const step = load<i32>(digest, 4);
    let x = load<i32>(digest) + (from as i32) * step;
    let i = from;
    do {
      x += step;
      store<u64>(positions, remainder((x ^ (x >> 31)) as u64, m, inverse));
      positions += 8;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}
