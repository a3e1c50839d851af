import { type Estimate, estimateFromCouponRegisters, estimateFromCoupons } from '../sizing/cardinality.ts';

/**
 * What a HyperLogLog sketch of Apache DataSketches knows of its keys: their coupons (src/kernel/assembly/digests/coupons.ts) while these are
 * few, all different and in ascending order; then 2^logRegisters registers with the greatest ranks.
 */
export type Sketch = { readonly logRegisters: number } & (
  | { readonly coupons: Uint32Array; readonly registers?: undefined }
  | { readonly coupons?: undefined; readonly registers: Uint8Array }
);

/** The place and the rank that a coupon has. */
export const PLACE_BITS = 26;

/** Coupons of a list, and of a set of the least size, in the logarithm of its places. */
export const LIST_COUPONS = 7;
const LEAST_WITH_SET = 8;

/** Coupons that a sketch keeps before it has registers: three quarters of the places of a set, if it has one. */
export function couponLimit(logRegisters: number): number {
  return logRegisters < LEAST_WITH_SET ? LIST_COUPONS : 0.75 * 2 ** (logRegisters - 3);
}

/** The sketch of some coupons, which may repeat, in any order. */
export function sketchOfCoupons(logRegisters: number, coupons: Uint32Array): Sketch {
  const sorted = coupons.slice().sort();
  const distinct = sorted.filter((coupon, i) => i === 0 || coupon !== sorted[i - 1]);
  if (distinct.length <= couponLimit(logRegisters)) return { logRegisters, coupons: distinct };
  const registers = new Uint8Array(2 ** logRegisters);
  noteCoupons(registers, distinct);
  return { logRegisters, registers };
}

/** The sketch of the keys of both, which has as many registers as the one that has fewer. */
export function united(a: Sketch, b: Sketch): Sketch {
  const logRegisters = Math.min(a.logRegisters, b.logRegisters);
  if (a.coupons !== undefined && b.coupons !== undefined)
    return sketchOfCoupons(logRegisters, Uint32Array.from([...a.coupons, ...b.coupons]));
  const registers = new Uint8Array(2 ** logRegisters);
  for (const sketch of [a, b]) {
    if (sketch.coupons !== undefined) noteCoupons(registers, sketch.coupons);
    else noteRanks(registers, sketch.registers);
  }
  return { logRegisters, registers };
}

/** Distinct keys of a sketch. */
export function estimateOf({ coupons, registers }: Sketch): Estimate {
  return coupons === undefined ? estimateFromCouponRegisters(registers) : estimateFromCoupons(coupons.length);
}

function noteCoupons(registers: Uint8Array, coupons: Uint32Array): void {
  for (const coupon of coupons) noteRank(registers, coupon, coupon >>> PLACE_BITS);
}

/** Notes the ranks of as many registers or more. */
function noteRanks(registers: Uint8Array, ranks: Uint8Array): void {
  for (const [place, rank] of ranks.entries()) noteRank(registers, place, rank);
}

function noteRank(registers: Uint8Array, place: number, rank: number): void {
  const register = place & (registers.length - 1);
  if (rank > (registers[register] ?? 0)) registers[register] = rank;
}
