// Estimates of the number of distinct keys, from the fill of a filter or from a HyperLogLog sketch.

/** An estimated count with its standard error, both in keys. The error is 0 for an exact count. */
export interface Estimate {
  readonly count: number;
  readonly error: number;
  /** The count is only a lower bound. */
  readonly isFloor?: true;
}

/**
 * The number of distinct keys in m bits of which X are set, with k hash functions: -(m/k) ln(1 - X/m) (Swamidass &
 * Baldi 2007, "Mathematical correction for fingerprint similarity measures"). The standard error is that of linear
 * counting (Whang et al. 1990): sqrt(m (e^t - t - 1)) / k with t = -ln(1 - X/m).
 *
 * If all bits are set, the count is a floor: the count for half an empty bit. Its error is chosen for `lowerBound`.
 * Fewer keys than that bound would set all bits no more often than `EXCEEDED`; n keys do so with a chance of exp(-m
 * e^(-kn/m)).
 */
export function estimateFromFill(ones: number, bits: number, k: number): Estimate {
  const load = -Math.log1p(-Math.min(ones, bits - 0.5) / bits);
  const count = (bits / k) * load;
  if (ones === bits) return { count, error: (bits / k) * FLOOR_ERROR, isFloor: true };
  return { count, error: Math.sqrt(bits * (Math.expm1(load) - load)) / k };
}

/** Standard errors between an estimate and a nearly certain bound. The bound is exceeded once in 700 times. */
const MARGIN = 3;
const EXCEEDED = 1 / 700;

/**
 * The error of a floor, per key that sets as many bits as the filter has. The count of a floor is that of half an empty
 * bit.
 */
export const FLOOR_ERROR = Math.log(-2 * Math.log(EXCEEDED)) / MARGIN;

/** A whole number of keys that the true number hardly ever exceeds. */
export function upperBound({ count, error }: Estimate): number {
  return Math.ceil(count + MARGIN * error);
}

/** 95 of 100 estimates lie within this many standard errors on both sides. */
const MARGIN_95 = 1.96;

/** The 95 % interval of an estimate. */
export function interval95({ count, error }: Estimate): { readonly low: number; readonly high: number } {
  return { low: Math.max(0, count - MARGIN_95 * error), high: count + MARGIN_95 * error };
}

/** The number of keys, rounded up to two digits. */
export function roundedUp(keys: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, keys))) - 1);
  return Math.ceil(keys / unit) * unit;
}

/** A number of keys that the true number hardly ever falls below. */
export function lowerBound({ count, error }: Estimate): number {
  return count - MARGIN * error;
}

/** The estimate for a whole, from the estimates of its parts. The parts hold different keys. */
export function sumEstimates(parts: readonly Estimate[]): Estimate {
  return {
    count: parts.reduce((sum, part) => sum + part.count, 0),
    error: Math.sqrt(parts.reduce((sum, part) => sum + part.error ** 2, 0)),
    ...(parts.some((part) => part.isFloor) ? { isFloor: true } : {}),
  };
}

/** Registers of the sketch: 2^16. */
export const SKETCH_REGISTERS = 2 ** 16;

/** Bits of a digest after the register index. A register holds 0, or a rank from 1 to this number plus 1. */
const RANK_BITS = 48;

/** Bits of a digest that decide the rank of a coupon. */
const COUPON_RANK_BITS = 62;

/** The number of positions that a coupon can have. */
const COUPON_PLACES = 2 ** 26;

/**
 * The number of distinct keys with `coupons` different coupons. Apache DataSketches' small HyperLogLog sketches have
 * coupons.
 * Two keys have the same coupon with a chance of 1 / (3 * 2^26): the chance of equal positions times the chance of
 * equal ranks, the sum of 4^-rank. So n^2 / (6 * 2^26) of n keys are not seen. The standard deviation is that of a
 * Poisson distribution.
 */
export function estimateFromCoupons(coupons: number): Estimate {
  const unseen = coupons ** 2 / (6 * COUPON_PLACES);
  return { count: coupons + unseen, error: Math.sqrt(unseen) };
}

/** The number of distinct keys whose coupons were noted in registers, like `estimateFromSketch`. */
export function estimateFromCouponRegisters(registers: Uint8Array): Estimate {
  return estimateFromSketch(registers, COUPON_RANK_BITS);
}

/**
 * The number of distinct digests noted in HyperLogLog registers, by the estimator of Ertl 2017, "New cardinality
 * estimation algorithms for HyperLogLog sketches" (algorithm 6). The estimator needs no correction for small or large
 * counts. While most registers are empty, its standard error is that of linear counting; later it is 1.04 /
 * sqrt(registers) of the count. The smaller error is given.
 */
export function estimateFromSketch(registers: Uint8Array, rankBits = RANK_BITS): Estimate {
  const size = registers.length;
  const histogram = new Float64Array(rankBits + 2);
  for (const register of registers) histogram[register] = (histogram[register] ?? 0) + 1;
  const share = (rank: number) => (histogram[rank] ?? 0) / size;
  let z = size * tau(1 - share(rankBits + 1));
  for (let rank = rankBits; rank >= 1; rank--) z = 0.5 * (z + size * share(rank));
  z += size * sigma(share(0));
  const count = size ** 2 / (2 * Math.LN2) / z;
  const load = count / size;
  return { count, error: Math.min(Math.sqrt(size * (Math.expm1(load) - load)), (1.04 / Math.sqrt(size)) * count) };
}

/** x + sum of x^(2^i) 2^(i-1) over i >= 1 (Ertl 2017, equation 13). */
function sigma(x: number): number {
  if (x === 1) return Number.POSITIVE_INFINITY;
  let sum = x;
  for (let power = x * x, weight = 1; ; power *= power, weight *= 2) {
    const next = sum + power * weight;
    if (next === sum) return sum;
    sum = next;
  }
}

/** (1 - x - sum of (1 - x^(2^-i))^2 2^-i over i >= 1) / 3 (Ertl 2017, equation 14). */
function tau(x: number): number {
  if (x === 0 || x === 1) return 0;
  let rest = 1 - x;
  for (let root = Math.sqrt(x), weight = 0.5; ; root = Math.sqrt(root), weight /= 2) {
    const next = rest - (1 - root) ** 2 * weight;
    if (next === rest) return rest / 3;
    rest = next;
  }
}
