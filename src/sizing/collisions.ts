// How often positions of a key coincide, with each other or with positions of another key. The positions are steps of
// equal length.
//
// Such events are rare, about 1/m and 1/m^2, and each adds or removes many positions at once. So importance sampling
// makes them happen: two positions of one key, or two pairs of positions of two keys, are made to coincide. The sampler
// solves for the words. It weights each result with its probability, divided by the number of ways in which it could
// have been made.

import type { Next } from './congruences.ts';
import type { Stepping } from './steps.ts';

/** Probabilities for a key and for a pair of keys. */
export interface Collisions {
  readonly bits: number;
  readonly k: number;
  /** Entry D: the chance that a key has D distinct positions. */
  readonly distinct: Float64Array;
  /**
   * Entry `distinct (k + 1) + common`: the chance that an absent key has this many distinct positions, and shares
   * `common` of them with one member. Entries start at 2 common positions.
   */
  readonly common: Float64Array;
  /** Keys whose rate is known exactly. `distinct` and `common` describe the other keys. */
  readonly exact?: readonly ExactRate[];
}

/** The exact rate of a share of the absent keys. All of them have `distinct` distinct positions. */
export interface ExactRate {
  readonly chance: number;
  readonly distinct: number;
  /** The rate for a number of members. */
  readonly rate: (items: number) => number;
}

/**
 * The number of samples of each kind. Many positions get fewer samples, because each position is compared with each
 * other.
 */
const SAMPLES = 4000;
const COMPARISONS = 1_200_000;
const LEAST_SAMPLES = 20;

/** In so few bits, coincidences make up most of the rate, so they get more samples. */
const FEW_BITS = 512;
const MORE = 4;

/**
 * In many bits coincidences are a small share of the rate, which is 2^-k in a half-full filter. So fewer samples
 * suffice. All samples are taken below BITS_FOR_ALL times 2^k bits, and at least this share above.
 */
const BITS_FOR_ALL = 8;
const LEAST_SHARE = 1 / 16;

/** Computes the collisions. The result is the same on each call. */
export function collisionsOf(stepping: Stepping): Collisions {
  const { bits, k } = stepping;
  const needed = (BITS_FOR_ALL * 2 ** k) / bits;
  const share = bits <= FEW_BITS ? MORE : Math.min(1, Math.max(LEAST_SHARE, needed));
  const samples = Math.max(LEAST_SAMPLES, Math.round(share * Math.min(SAMPLES, COMPARISONS / k ** 2)));
  const distinct = new Float64Array(k + 1);
  const common = new Float64Array((k + 1) ** 2);
  if (k > 1) {
    sampleKeys(stepping, samples, distinct);
    samplePairs(stepping, samples, common);
  }
  distinct[k] = 1 - distinct.reduce((sum, chance) => sum + chance, 0);
  return { bits, k, distinct, common };
}

/** The most coordinates that a sample needs, besides those of one drawn key and one solved key. */
const COORDINATES = 7;

/**
 * Points of a sequence that fills the unit cube more evenly than random points. Coordinate i of point n is the fraction
 * of n / g^i, where g^(d + 1) = g + 1 in d dimensions. Only d coordinates are independent. Source: Roberts 2018, "The
 * unreasonable effectiveness of quasirandom sequences".
 */
function pointsFor({ coordinates }: Stepping): (n: number) => Next {
  const dimensions = COORDINATES + 2 * coordinates;
  let root = 2;
  for (let i = 0; i < 50; i++) root = (1 + root) ** (1 / (dimensions + 1));
  return (n) => {
    let factor = 1;
    return () => {
      factor /= root;
      const x = 0.5 + n * factor;
      return x - Math.floor(x);
    };
  };
}

/** Two different numbers below k. */
function twoBelow(k: number, random: Next): [number, number] {
  const one = Math.floor(random() * k);
  const other = Math.floor(random() * (k - 1));
  return [one, other < one ? other : other + 1];
}

/** Samples keys with two equal positions. */
function sampleKeys(stepping: Stepping, samples: number, into: Float64Array): void {
  const { bits, k } = stepping;
  const positions = new Float64Array(k);
  const pointNumber = pointsFor(stepping);
  for (let n = 0; n < samples; n++) {
    const random = pointNumber(n);
    const [i, j] = twoBelow(k, random);
    const position = Math.floor(random() * bits);
    const chance = stepping.through(i, position, j, position, random, positions);
    if (chance === 0) continue;
    let ways = 0;
    let repeated = 0;
    for (let one = 0; one < k; one++) {
      let before = 0;
      for (let other = 0; other < one; other++) if (positions[one] === positions[other]) before++;
      ways += before;
      if (before > 0) repeated++;
    }
    const weight = (((k * (k - 1)) / 2) * bits * chance) / ways / samples;
    into[k - repeated] = (into[k - repeated] ?? 0) + weight;
  }
}

/** Samples pairs of keys with two common positions. */
function samplePairs(stepping: Stepping, samples: number, into: Float64Array): void {
  const { k } = stepping;
  const [positionsA, positionsB] = [new Float64Array(k), new Float64Array(k)];
  const pointNumber = pointsFor(stepping);
  const pairs = k * (k - 1);
  for (let n = 0; n < samples; n++) {
    const random = pointNumber(n);
    const [i, j] = twoBelow(k, random);
    // Most common positions belong to keys with equal step lengths, so half of the samples are such pairs.
    const step = random() < 0.5 ? j - i : i - j;
    const begin = Math.max(0, -step) + Math.floor(random() * (k - Math.abs(step)));
    const [from, to] = random() < 0.5 ? [begin, begin + step] : twoBelow(k, random);
    const alike = Math.abs(to - from) === Math.abs(j - i) ? 1 / (2 * (k - Math.abs(step))) : 0;
    const density = (alike + 1 / pairs) / 2 / pairs;
    stepping.draw(random, positionsA);
    const chance = stepping.through(from, positionsA[i] ?? 0, to, positionsA[j] ?? 0, random, positionsB);
    if (chance === 0) continue;
    const { distinct, common, ways } = compared(positionsA, positionsB);
    const entry = distinct * (k + 1) + common;
    into[entry] = (into[entry] ?? 0) + chance / density / ways / samples;
  }
}

/**
 * The distinct positions of a key, its positions that another key has too, and the number of ways to pick two pairs of
 * them.
 */
function compared(one: Float64Array, other: Float64Array): { distinct: number; common: number; ways: number } {
  const k = one.length;
  let [distinct, common, matches, sharing] = [0, 0, 0, 0];
  for (let i = 0; i < k; i++) {
    const equal = countIn(other, one[i] ?? 0, k);
    matches += equal;
    sharing += equal ** 2 + countIn(one, other[i] ?? 0, k) ** 2;
    if (countIn(one, one[i] ?? 0, i) > 0) continue;
    distinct++;
    if (equal > 0) common++;
  }
  // All pairs of matches, except pairs that share a position of one of the keys.
  return { distinct, common, ways: matches ** 2 - sharing + matches };
}

/** How often a position occurs among the first positions. */
function countIn(positions: Float64Array, position: number, first: number): number {
  let count = 0;
  for (let i = 0; i < first; i++) if (positions[i] === position) count++;
  return count;
}
