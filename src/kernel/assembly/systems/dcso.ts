// Positions of DCSO bloom: x_0 is the digest mod P, and x_i = (x_(i-1) G mod 2^64) mod P. The positions are x_1 mod m,
// x_2 mod m and so on.

import { reciprocal, remainder } from "./remainder";

/** The largest prime below 2^64. */
const P: u64 = 18446744073709551557;
const G: u64 = 18446744073709550147;

@inline
function below(x: u64): u64 {
  return x >= P ? x - P : x;
}

/**
 * Writes the positions `from` to `to` of each of `count` keys, u64 each. `keys` has the u32 indices of the digests. The
 * parameter is m.
 */
export function dcsoPositions(
  digests: usize, keys: usize, count: u32, from: u32, to: u32, positions: usize, parameters: usize,
): void {
  const m = load<u64>(parameters);
  const inverse = reciprocal(m);
  const end = keys + ((count as usize) << 2);
  do {
    let x = below(load<u64>(digests + ((load<u32>(keys) as usize) << 3)));
    for (let i: u32 = 0; i < from; i++) x = below(x * G);
    let i = from;
    do {
      x = below(x * G);
      store<u64>(positions, remainder(x, m, inverse));
      positions += 8;
    } while (++i < to);
    keys += 4;
  } while (keys < end);
}
