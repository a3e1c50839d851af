// Coupons and registers after Flajolet et al. 2007 and HllUtil.hpp of Apache DataSketches, on strings of binary digits.

import { murmur3Halves } from './murmur3.ts';

const SEED = 9001n;
const PLACE_DIGITS = 26;

export interface Coupon {
  readonly place: number;
  readonly rank: number;
}

/** The coupon of two words of a hash. */
export function couponOfWords([first, second]: readonly [bigint, bigint]): Coupon {
  const digits = second.toString(2).padStart(64, '0');
  const zeros = digits.indexOf('1') < 0 ? 64 : digits.indexOf('1');
  return {
    place: Number.parseInt(first.toString(2).padStart(64, '0').slice(-PLACE_DIGITS), 2),
    rank: Math.min(zeros, 62) + 1,
  };
}

/** The coupon of a key. */
export function couponOf(key: Uint8Array): Coupon {
  return couponOfWords(murmur3Halves(key, SEED));
}

/** The number that encodes a coupon in a file. */
export function numberOf({ place, rank }: Coupon): number {
  return rank * 2 ** PLACE_DIGITS + place;
}

/** For each register, the greatest rank among the coupons whose place ends with the register's number, in binary. */
export function registersOf(coupons: readonly Coupon[], log: number): Uint8Array {
  const registers = new Uint8Array(2 ** log);
  for (const { place, rank } of coupons) {
    const register = place % 2 ** log;
    registers[register] = Math.max(registers[register] ?? 0, rank);
  }
  return registers;
}
