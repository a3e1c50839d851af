// How often the positions of a key coincide, with each other and with those of another key, where they are steps of one length.
//
// Such events are rare, about 1/m and 1/m^2, and each costs or gives many positions at once. So they are not waited for: two
// positions are made to coincide (two of one key, or two pairs of two keys), words are solved for, and what was made is weighted
// with its probability over the number of ways in which it could have been made (importance sampling).

import type { Next } from './congruences.ts';
import type { Stepping } from './steps.ts';

/** Probabilities of a key and of a pair of keys. */
export interface Collisions {
  readonly bits: number;
  readonly k: number;
  /** The chance that a key has so many distinct positions. */
  readonly distinct: Float64Array;
  /**
   * The chance that an absent key has so many distinct positions, of which so many are positions of one member too, from 2 on:
   * entry `distinct (k + 1) + common`.
   */
  readonly common: Float64Array;
  /** Keys whose rate is known exactly. `distinct` and `common` are of the others. */
  readonly exact?: readonly ExactRate[];
}

/** The rate of a share of absent keys, all of which have so many distinct positions. */
export interface ExactRate {
  readonly chance: number;
  readonly distinct: number;
  /** By the number of members. */
  readonly rate: (items: number) => number;
}

/** Samples of each of the two. There are fewer for many positions, as each is compared with each. */
const SAMPLES = 4000;
const COMPARISONS = 1_200_000;
const LEAST_SAMPLES = 20;

/** In so few bits coincidences are most of the rate, and so are sampled more closely. */
const FEW_BITS = 512;
const MORE = 4;

/**
 * In many bits coincidences are a small share of the rate, which is 2^-k in a filter that is half full, and fewer samples do: all of
 * them below so many bits times 2^-k, and no fewer than this share.
 */
const BITS_FOR_ALL = 8;
const LEAST_SHARE = 1 / 16;

/** Computes them, the same each time. */
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

/** Coordinates that a sample takes at most besides those of a key that is drawn and of one that is solved for. */
const COORDINATES = 7;

/**
 * Points of a sequence that fills the unit cube more evenly than random points do: coordinate i of point number n is the fraction of
 * n / g^i, where g^(d + 1) = g + 1 in d dimensions (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences"). No more
 * than d coordinates are independent.
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

/** Adds keys of which two positions coincide. */
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

/** Adds pairs of keys that have two positions in common. */
function samplePairs(stepping: Stepping, samples: number, into: Float64Array): void {
  const { k } = stepping;
  const [positionsA, positionsB] = [new Float64Array(k), new Float64Array(k)];
  const pointNumber = pointsFor(stepping);
  const pairs = k * (k - 1);
  for (let n = 0; n < samples; n++) {
    const random = pointNumber(n);
    const [i, j] = twoBelow(k, random);
    // Most positions are common to keys with steps of the same length: half of the samples are such.
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

/** Distinct positions of one key, those that another has too, and the ways to pick two pairs of them. */
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
  // All pairs of matches, but for those that share a position of one of the keys.
  return { distinct, common, ways: matches ** 2 - sharing + matches };
}

/** How many of the first positions are this one. */
function countIn(positions: Float64Array, position: number, first: number): number {
  let count = 0;
  for (let i = 0; i < first; i++) if (positions[i] === position) count++;
  return count;
}
