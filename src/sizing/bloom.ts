// The arithmetic of standard Bloom filters. Symbols, here and in the flags:
//
//   n  keys (items)      m  bits      k  hash functions (hashes)      p  false-positive rate (fpr), a fraction
//
// Sources: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors"; Bose et al. 2008, "On the
// false-positive rate of Bloom filters", for what the usual formula neglects.

import { equalDigestRate } from './equal-digests.ts';
import { type Geometry, isSegmented } from './geometry.ts';
import type { Arithmetic } from './solve.ts';

/** A digest has 64 bits. More probes could not lower the rate of equal digests. */
export const K_LIMIT = 64;

/** Bits for n keys at rate p with the best real-valued k: ceil(-n ln p / (ln 2)^2). */
export function bitsFor(items: number, fpr: number): number {
  return Math.ceil((-items * Math.log(fpr)) / Math.LN2 ** 2);
}

/** Bits for n keys at rate p with a given k: the smallest m for which (1 - e^(-kn/m))^k <= p. */
export function bitsForK(items: number, fpr: number, k: number): number {
  return Math.ceil((-k * items) / Math.log1p(-(fpr ** (1 / k))));
}

/**
 * The fewest bits that any filter of n keys at rate p takes: n log2(1/p) (Carter et al. 1978, "Exact and approximate
 * membership testers").
 */
export function lowerBoundBits(items: number, fpr: number): number {
  return -items * Math.log2(fpr);
}

/** The number of hash functions for rate p in a filter of the size from `bitsFor`: round(-log2 p). */
export function kFor(fpr: number): number {
  return clampK(Math.round(-Math.log2(fpr)));
}

/** The k with the lowest rate for n keys in m bits: one of the two integers around (m / n) ln 2. */
export function bestK(items: number, bits: number): number {
  const real = (bits / items) * Math.LN2;
  const below = clampK(Math.floor(real));
  const above = clampK(Math.ceil(real));
  return asymptoticRate(items, bits, above) < asymptoticRate(items, bits, below) ? above : below;
}

function clampK(k: number): number {
  return Math.min(Math.max(k, 1), K_LIMIT);
}

/**
 * The number of keys that m bits hold at rate p: the inverse of `bitsFor`, or of `bitsForK` with a given k. At least 0.
 */
export function capacityFor(bits: number, fpr: number, k?: number): number {
  const real = k === undefined ? (bits * Math.LN2 ** 2) / -Math.log(fpr) : (-bits * Math.log1p(-(fpr ** (1 / k)))) / k;
  // Both directions round, so the floor may be off by 1 if the division was exact.
  const floor = Math.floor(real);
  const needed = k === undefined ? bitsFor(floor + 1, fpr) : bitsForK(floor + 1, fpr, k);
  return needed <= bits ? floor + 1 : floor;
}

/** The usual approximation, (1 - e^(-kn/m))^k. It is too low where m is small (Bose et al. 2008). */
export function asymptoticRate(items: number, bits: number, k: number): number {
  return (-Math.expm1((-k * items) / bits)) ** k;
}

/** The largest m whose occupancy distribution is computed in full. Two moments are exact enough for larger m. */
const EXACT_BITS_LIMIT = 1024;

/**
 * The expected false-positive rate of m bits with n distinct keys and k independent probes per key. It is the sum of
 * the rate of the bits and the rate of equal digests.
 */
export function falsePositiveRate(items: number, bits: number, k: number): number {
  return Math.min(1, occupiedRate(items, bits, k) + equalDigestRate(items));
}

/**
 * The expected rate at which k probes all hit ones: E[(X/m)^k], where X is the number of ones that n keys leave in m
 * bits.
 *
 * Up to 1,024 bits the distribution of X is computed ball by ball. Above, with the mean mu and variance s^2 of X,
 *   E[(X/m)^k] = (mu/m)^k exp(k(k-1)/2 (s/mu)^2).
 * Its relative error is below 10^-3 for k <= 20 and up to 50 bits per key. Nearly empty filters, with their minute
 * rates, miss by up to a few percent.
 */
export function occupiedRate(items: number, bits: number, k: number): number {
  const balls = items * k;
  // All bits are set above 64 balls per bit, except with a chance below e^-54.
  if (balls >= bits * 64) return 1;
  const exact = bits <= EXACT_BITS_LIMIT && Number.isInteger(balls);
  return exact ? occupancyPower(balls, bits, k) : lognormalPower(balls, bits, k);
}

/** The distribution of keys is summed up to this many standard deviations from its mean, in steps of a third of one. */
const DEVIATIONS = 10;
const STEPS_PER_DEVIATION = 3;

/**
 * The expected rate of a filter of n keys in segments, where `rateOf` gives the rate of one segment. The number of keys
 * of a segment is binomial with n and 1/S, and the result is the mean of the rate over this distribution. If the
 * segments are as large as possible, the rate at the mean load is used. Its relative error is at most 10^-4.
 */
export function rateOfShares(items: number, geometry: Geometry, rateOf: (items: number) => number): number {
  const { segments } = geometry;
  const mean = items / segments;
  if (isSegmented(geometry)) return rateOf(mean);
  const deviation = Math.sqrt(mean * (1 - 1 / segments));
  const step = Math.max(1, Math.floor(deviation / STEPS_PER_DEVIATION));
  const middle = Math.floor(mean);
  const last = middle + Math.ceil(DEVIATIONS * deviation) + DEVIATIONS;
  const first = Math.max(0, middle - Math.ceil(DEVIATIONS * deviation));
  // Chances relative to that of the middle. With such steps, the sum of a smooth function is its integral.
  const sums = { rate: rateOf(middle), chance: 1 };
  const add = (keys: number, chance: number) => {
    if ((keys - middle) % step !== 0) return;
    sums.rate += chance * rateOf(keys);
    sums.chance += chance;
  };
  for (let keys = middle, chance = 1; keys < last && chance > 0; add(++keys, chance))
    chance *= Math.max(0, items - keys) / (keys + 1) / (segments - 1);
  for (let keys = middle, chance = 1; keys > first; add(--keys, chance))
    chance *= (keys * (segments - 1)) / (items - keys + 1);
  return sums.rate / sums.chance;
}

/**
 * About the same in a fraction of the time, by Gauss-Hermite quadrature with three nodes. This value decides which slice of a growing
 * filter gets which keys, so it never changes.
 */
export function roughRateOfShares(items: number, geometry: Geometry, rateOf: (items: number) => number): number {
  const { segments } = geometry;
  const mean = items / segments;
  if (isSegmented(geometry)) return rateOf(mean);
  const spread = Math.sqrt(3 * mean * (1 - 1 / segments));
  return (2 / 3) * rateOf(mean) + (1 / 6) * (rateOf(mean + spread) + rateOf(Math.max(0, mean - spread)));
}

/** The largest allowed ratio of the terms to their sum. The sum loses as many digits as the ratio has. */
const MOST_CANCELLED = 1e6;

/** E[(X/m)^k], where X is the number of m cells that `balls` balls hit. */
function occupancyPower(balls: number, cells: number, power: number): number {
  const empty = Math.exp(balls * Math.log1p(-1 / cells));
  const cancelled = ((1 + empty) / (1 - empty)) ** power;
  return cancelled < MOST_CANCELLED ? inclusionExclusion(balls, cells, power) : occupancyChain(balls, cells, power);
}

/**
 * The sum over D of the chance that k balls hit D cells, times the chance that all D cells were hit before. The latter
 * is the sum over i of (-1)^i C(D, i) (1 - i/m)^balls.
 */
function inclusionExclusion(balls: number, cells: number, power: number): number {
  /** Entry D: the chance that the balls so far have hit D cells. */
  const distinct = new Float64Array(power + 1);
  distinct[0] = 1;
  for (let ball = 1; ball <= power; ball++) addBall(distinct, ball, cells);
  const missed = Array.from({ length: Math.min(power, cells) + 1 }, (_, i) => (1 - i / cells) ** balls);
  let sum = 0;
  for (const [hit, chance] of distinct.entries()) {
    if (chance === 0) continue;
    let ways = 1;
    for (let i = 0; i <= hit; i++) {
      sum += chance * ways * (missed[i] ?? 0);
      ways *= -(hit - i) / (i + 1);
    }
  }
  return sum;
}

/** The same value by the Markov chain of occupancy. */
function occupancyChain(balls: number, cells: number, power: number): number {
  const chances = new Float64Array(cells + 1);
  chances[0] = 1;
  for (let ball = 1; ball <= balls; ball++) addBall(chances, ball, cells);
  return chances.reduce((sum, chance, x) => sum + chance * (x / cells) ** power, 0);
}

/** Updates the chances for one more ball, number `ball`. Entry x is the chance that x cells are hit. */
function addBall(chances: Float64Array, ball: number, cells: number): void {
  for (let x = Math.min(ball, cells, chances.length - 1); x >= 0; x--) {
    const grows = x === 0 ? 0 : ((chances[x - 1] ?? 0) * (cells - x + 1)) / cells;
    chances[x] = ((chances[x] ?? 0) * x) / cells + grows;
  }
}

/**
 * The same value for many cells, from the mean and variance of X (Johnson & Kotz 1977, "Urn models and their
 * application").
 */
function lognormalPower(balls: number, cells: number, power: number): number {
  if (balls === 0) return 0;
  const empty = Math.exp(balls * Math.log1p(-1 / cells));
  const mean = -cells * Math.expm1(balls * Math.log1p(-1 / cells));
  // Var X = m(m-1)(1-2/m)^t + m(1-1/m)^t - m^2 (1-1/m)^(2t), rearranged so that nothing of order m^2 cancels.
  const pairs = Math.expm1(balls * Math.log1p(-1 / (cells - 1) ** 2));
  const variance = Math.max(0, cells * empty * (1 - empty) + cells * (cells - 1) * empty * empty * pairs);
  return (mean / cells) ** power * Math.exp(((power * (power - 1)) / 2) * (variance / (mean * mean)));
}

export const BLOOM: Arithmetic = {
  bits: (items, fpr, k) => (k === undefined ? bitsFor(items, fpr) : bitsForK(items, fpr, k)),
  items: capacityFor,
  kForRate: kFor,
  kForLoad: bestK,
  rate: falsePositiveRate,
};
