// x mod m, by a multiplication with 1 / m. A division takes twice as long.

/** The quotient has too many bits for the precision of doubles if m is smaller. */
const LEAST: u64 = 1 << 16;

/** 2^52, and the bits of doubles from 2^52 to 2^53. A number that is added to 2^52 is in their low 52 bits. */
const TWO_52: f64 = 4503599627370496;
const TWO_52_BITS: u64 = 0x4330000000000000;

/** The factor of `remainder`, for m up to 2^52. */
@inline
export function reciprocal(m: u64): f64 {
  return 4096 / (m as f64);
}

/**
 * x mod m. The quotient is below 2^48 for m from 2^16 on. The two roundings change it by less than 1/16, and so do the
 * 12 bits of x that are left out. The nearest whole number is then at most 5/8 from x / m, and the rest is between -5/8
 * m and 5/8 m.
 */
@inline
export function remainder(x: u64, m: u64, inverse: f64): u64 {
  if (m < LEAST) return x % m;
  const high = reinterpret<f64>(x >> 12 | TWO_52_BITS) - TWO_52;
  const quotient = reinterpret<u64>(high * inverse + TWO_52) ^ TWO_52_BITS;
  const rest = x - quotient * m;
  return rest + (m & ((rest as i64) >> 63));
}
