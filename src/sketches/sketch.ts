import { type Estimate, estimateFromCouponRegisters, estimateFromCoupons } from '../sizing/cardinality.ts';

/**
 * The state of a HyperLogLog sketch of Apache DataSketches. A small sketch has the distinct coupons of its keys, in
 * ascending order (src/kernel/assembly/digests/coupons.ts). A larger sketch has 2^logRegisters registers with the
 * greatest ranks.
 */
export type Sketch = { readonly logRegisters: number } & (
  | { readonly coupons: Uint32Array; readonly registers?: undefined }
  | { readonly coupons?: undefined; readonly registers: Uint8Array }
);

/** The number of low bits of a coupon that select a register. The rank is above them. */
export const PLACE_BITS = 26;

/** The most coupons of a list, and the logarithm of the fewest registers with which a sketch uses sets. */
export const LIST_COUPONS = 7;
const LEAST_WITH_SET = 8;

/**
 * The most coupons of a sketch before it has registers. If it uses sets, the limit is three quarters of the positions
 * of a set.
 */
export function couponLimit(logRegisters: number): number {
  return logRegisters < LEAST_WITH_SET ? LIST_COUPONS : 0.75 * 2 ** (logRegisters - 3);
}

/** The sketch of coupons in any order. Coupons may occur several times. */
export function sketchOfCoupons(logRegisters: number, coupons: Uint32Array): Sketch {
  const sorted = coupons.slice().sort();
  const distinct = sorted.filter((coupon, i) => i === 0 || coupon !== sorted[i - 1]);
  if (distinct.length <= couponLimit(logRegisters)) return { logRegisters, coupons: distinct };
  const registers = new Uint8Array(2 ** logRegisters);
  noteCoupons(registers, distinct);
  return { logRegisters, registers };
}

/** The union of two sketches. It has the smaller of their numbers of registers. */
export function sketchUnion(a: Sketch, b: Sketch): Sketch {
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

/** The estimated number of distinct keys of a sketch. */
export function estimateOf({ coupons, registers }: Sketch): Estimate {
  return coupons === undefined ? estimateFromCouponRegisters(registers) : estimateFromCoupons(coupons.length);
}

function noteCoupons(registers: Uint8Array, coupons: Uint32Array): void {
  for (const coupon of coupons) noteRank(registers, coupon, coupon >>> PLACE_BITS);
}

/** Notes the ranks of another array of at least as many registers. */
function noteRanks(registers: Uint8Array, ranks: Uint8Array): void {
  for (const [position, rank] of ranks.entries()) noteRank(registers, position, rank);
}

function noteRank(registers: Uint8Array, position: number, rank: number): void {
  const register = position & (registers.length - 1);
  if (rank > (registers[register] ?? 0)) registers[register] = rank;
}
