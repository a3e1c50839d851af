// Coupons, from which a HyperLogLog sketch of Apache DataSketches is made (HllUtil.hpp there). The low 26 bits of a
// coupon are the low 26 bits of the first word of a digest: its position. Above them is the rank, the number of leading
// zeros of the second word plus one, 63 at most. Each of 2^n registers has the greatest rank of the positions whose low
// n bits are its number.

const PLACE_BITS: u32 = 26;
const PLACE_MASK: u64 = (1 << PLACE_BITS) - 1;

/** The bit that ends the count of zeros. */
const GUARD: u64 = 2;

@inline
function couponOf(digest: usize): u32 {
  const rank = (clz(load<u64>(digest, 8) | GUARD) as u32) + 1;
  return ((load<u64>(digest) & PLACE_MASK) as u32) | (rank << PLACE_BITS);
}

/**
 * Turns each of `count` digests into a number that identifies its key. The low half is the coupon, the high half the
 * high half of the first word.
 */
export function couponNumbers(digests: usize, count: u32, numbers: usize): void {
  const end = numbers + ((count as usize) << 3);
  for (; numbers < end; numbers += 8) {
    store<u32>(numbers, couponOf(digests));
    store<u32>(numbers, load<u32>(digests, 4), 4);
    digests += 16;
  }
}

@inline
function note(registers: usize, mask: u32, coupon: u32): void {
  const register = registers + ((coupon & mask) as usize);
  const rank = coupon >> PLACE_BITS;
  if (rank > load<u8>(register)) store<u8>(register, rank);
}

/** Notes the coupons of `count` numbers in registers of one byte; 0 is not a coupon. There are `mask` + 1 registers. */
export function noteCoupons(registers: usize, mask: u32, numbers: usize, count: u32): void {
  const end = numbers + ((count as usize) << 3);
  for (; numbers < end; numbers += 8) note(registers, mask, load<u32>(numbers));
}

/** Notes the coupons of `count` digests, at least one. */
export function noteDigests(registers: usize, mask: u32, digests: usize, count: u32): void {
  const end = digests + ((count as usize) << 4);
  do {
    note(registers, mask, couponOf(digests));
    digests += 16;
  } while (digests < end);
}
