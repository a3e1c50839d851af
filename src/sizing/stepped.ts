// The false-positive rate if the positions of a key are steps of equal length. Dillinger & Manolios 2004, "Bloom
// filters in probabilistic verification", found how much higher the rate of such small filters is.
//
// With D distinct positions, an absent key is a false positive if all D are ones. In a random filter the chance is f^D,
// or a little less if members have no position twice. A member that has c >= 2 of these positions leaves D - c to the
// others. For n members the rate is
//
//   p = sum over D of P(D) B(D) + n (E[f'^(D - c)] - the same for members whose positions are a random subset)
//
// B(D) is the expectation for random subsets, f the share of ones, and f' the share of ones without one member. The
// formula neglects events in which several members each share more than one position with the key.

import { alternatingSteps } from './alternating.ts';
import { asymptoticRate, occupiedRate } from './bloom.ts';
import { type Collisions, collisionsOf } from './collisions.ts';
import { cellsOf, residueCollisions } from './residues.ts';
import { type Steps, steppingOf } from './steps.ts';

/** The share of a rate that is too small to compute. */
const NEGLIGIBLE = 5e-4;

/** No system makes filters with so few bits. */
const FEWEST_BITS = 8;

/** An upper bound of the effect of all coincidences, in units of 1/m. */
const MOST_EXCESS = 4;

/** The number of sizes whose collisions are kept. */
const KEPT = 256;
const known = new Map<string, Collisions>();

/** The collisions of k positions in m bits. They are computed once per size. */
function collisions(steps: Steps, bits: number, k: number): Collisions {
  const key = JSON.stringify([bits, k, steps]);
  const found = known.get(key) ?? computed(steps, bits, k);
  if (known.size >= KEPT) known.clear();
  known.set(key, found);
  return found;
}

function computed(steps: Steps, bits: number, k: number): Collisions {
  if (steps.isProduct) return residueCollisions(bits, k);
  return collisionsOf(steps.isAlternating ? alternatingSteps(bits, k) : steppingOf(steps, bits, k));
}

/** The expected rate of m bits with n keys that have k positions by these steps. */
export function steppedRate(items: number, bits: number, k: number, steps: Steps): number {
  if (items === 0 || bits <= FEWEST_BITS || isNegligible(asymptoticRate(items, bits, k), { bits, k, steps }))
    return occupiedRate(items, bits, k);
  const odds = collisions(steps, bits, k);
  const each = distinctPositions(odds);
  const missed = Math.log1p(-each / bits);
  const fill = -Math.expm1(items * missed);
  // The covariance of two bits. A member is more likely to miss a bit if its positions have hit the other bit.
  const missedBoth = missed + Math.log1p(-each / (bits - 1));
  const covariance = Math.exp(items * missedBoth) - Math.exp(2 * items * missed);
  const random = (distinct: number) =>
    fill ** distinct * Math.exp(((distinct * (distinct - 1)) / 2) * (covariance / fill ** 2));
  return withMembers(odds, random, -Math.expm1(Math.max(0, items - 1) * missed), items);
}

/** The rate of m bits with `ones` ones, for keys that have k positions by these steps. */
export function steppedRateFromFill(ones: number, bits: number, k: number, steps: Steps): number {
  const fill = ones / bits;
  const independent = fill ** k;
  if (ones === 0 || ones === bits || bits <= FEWEST_BITS || isNegligible(independent, { bits, k, steps }))
    return independent;
  const odds = collisions(steps, bits, k);
  const missed = Math.log1p(-distinctPositions(odds) / bits);
  const items = Math.max(1, Math.log1p(-fill) / missed);
  // The chance that `distinct` distinct positions are all ones.
  const random = (distinct: number) => {
    let rate = 1;
    for (let i = 0; i < distinct; i++) rate *= Math.max(0, ones - i) / (bits - i);
    return rate;
  };
  return withMembers(odds, random, -Math.expm1((items - 1) * missed), items);
}

/**
 * Whether coincidences are too rare to count. Coincidences of products become rarer with more positions per residue,
 * not with more bits. The positions of larger filters than can be counted exactly, from 1.1 PB on, count as independent.
 */
function isNegligible(rate: number, { bits, k, steps }: { bits: number; k: number; steps: Steps }): boolean {
  if (bits > Number.MAX_SAFE_INTEGER) return true;
  const excessOfProducts = steps.isProduct ? k ** 2 / MOST_EXCESS / cellsOf(bits) : 0;
  return MOST_EXCESS / bits < NEGLIGIBLE * rate && excessOfProducts < NEGLIGIBLE;
}

/** The mean number of distinct positions of a key. It is below the number of bits. */
function distinctPositions({ bits, distinct, exact = [] }: Collisions): number {
  const known = exact.reduce((sum, { chance, distinct }) => sum + chance * distinct, 0);
  const mean = distinct.reduce((sum, chance, positions) => sum + chance * positions, known);
  return Math.min(mean, bits - 2);
}

/**
 * The rate, including members that share several positions with the absent key. `fill` is the share of ones without one
 * member.
 */
function withMembers(
  { bits, k, distinct, common, exact = [] }: Collisions,
  random: (distinct: number) => number,
  fill: number,
  items: number,
): number {
  let rate = 0;
  for (const [positions, chance] of distinct.entries()) {
    rate += chance * random(positions);
    // The gain from a member that has `shared` of the positions, beyond the gains from each position alone.
    const gain = (shared: number) =>
      fill ** (positions - shared) - fill ** positions - shared * (fill ** (positions - 1) - fill ** positions);
    let gained = 0;
    // The chance that a random subset has `shared` of the positions: the hypergeometric distribution.
    let subset = 1;
    for (let i = 0; i < k; i++) subset *= Math.max(0, bits - positions - i) / (bits - i);
    for (let shared = 0; shared <= Math.min(k, positions); shared++) {
      if (shared >= 2) gained += ((common[positions * (k + 1) + shared] ?? 0) - chance * subset) * gain(shared);
      subset *= ((positions - shared) * (k - shared)) / ((shared + 1) * Math.max(1, bits - positions - k + shared + 1));
    }
    rate += items * gained;
  }
  for (const known of exact) rate += known.chance * known.rate(items);
  return Math.min(1, rate);
}
