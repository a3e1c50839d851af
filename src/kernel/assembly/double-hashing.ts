// Positions by double hashing (Kirsch & Mitzenmacher 2006), of digests of two words: (h1 + i h2 mod 2^64) mod m.

import { reciprocal, remainder } from "./remainder";

/**
 * Writes the positions, u64 each, number `from` to `to` of each of `count` keys, which are the u32 indices of their
 * digests. The parameter is m.
 */
export function doubleHashing(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const m = load<u64>(parameters);
  const inverse = reciprocal(m);
  const end = keys + ((count as usize) << 2);
  for (; keys < end; keys += 4) {
    const digest = digests + ((load<u32>(keys) as usize) << 4);
    const step = load<u64>(digest, 8);
    let x = load<u64>(digest) + (from as u64) * step;
    for (let i = from; i < to; i++) {
      store<u64>(positions, remainder(x, m, inverse));
      positions += 8;
      x += step;
    }
  }
}
