// x mod m, by a multiplication with 1 / m: a division takes twice as long.

/** Below it a quotient has more bits than the error of doubles allows for. */
const LEAST: u64 = 1 << 16;

/** 2^52, and the bits of doubles from there to 2^53: the lower 52 are what is added to it. */
const TWO_52: f64 = 4503599627370496;
const TWO_52_BITS: u64 = 0x4330000000000000;

/** What `remainder` multiplies with, for m up to 2^52. */
@inline
export function reciprocal(m: u64): f64 {
  return 4096 / (m as f64);
}

/**
 * x mod m. For m from 2^16 on the quotient is below 2^48: the two roundings move it by less than 1/16, and the 12 bits of x
 * that are left out by as much. The next whole number is then at most 5/8 from x / m, and the rest between -5/8 m and 5/8 m.
 */
@inline
export function remainder(x: u64, m: u64, inverse: f64): u64 {
  if (m < LEAST) return x % m;
  const high = reinterpret<f64>(x >> 12 | TWO_52_BITS) - TWO_52;
  const quotient = reinterpret<u64>(high * inverse + TWO_52) ^ TWO_52_BITS;
  const rest = x - quotient * m;
  return rest + (m & ((rest as i64) >> 63));
}
