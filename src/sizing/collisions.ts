// How often the positions of a key coincide, with each other and with those of another key, where they are steps of one length.
//
// Such events are rare, about 1/m and 1/m^2, and each costs or gives many positions at once. So they are not waited for: two
// positions are made to coincide (two of one key, or two pairs of two keys), words are solved for, and what was made is weighted
// with its probability over the number of ways in which it could have been made (importance sampling).

import { emptyCarries, modulo, type Stepping } from './steps.ts';

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
}

/** Samples of each of the two. There are fewer for many positions, as each is compared with each. */
const SAMPLES = 6000;
const COMPARISONS = 2_400_000;
const LEAST_SAMPLES = 20;

/** In so few bits coincidences are most of the rate, and so are sampled more closely. */
const FEW_BITS = 1024;
const MORE = 2;

/** Where nobody needs them closely there are fewer samples. */
const FEWER = 1 / 4;

/** Computes them, the same each time. */
export function collisionsOf(stepping: Stepping, isClose: boolean): Collisions {
  const { bits, k } = stepping;
  const share = isClose ? (bits <= FEW_BITS ? MORE : 1) : FEWER;
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

/** Coordinates of a point, each from 0 to 1, one after the other. */
type Next = () => number;

/** Coordinates of a point. */
const DIMENSIONS = 13;

/** The root of x^(d + 1) = x + 1, found by iteration. */
const ROOT = Array.from({ length: 50 }).reduce<number>((x) => (1 + x) ** (1 / (DIMENSIONS + 1)), 2);

/**
 * Point number n of a sequence that fills the unit cube more evenly than random points do: coordinate i is the fraction of n / g^i
 * (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
 */
function pointNumber(n: number): Next {
  let factor = 1;
  return () => {
    factor /= ROOT;
    return (0.5 + n * factor) % 1;
  };
}

/** One of the steps b for which d b is a number, and how many there are; undefined for none. */
function solve(d: number, target: number, modulus: number, random: Next): { b: number; count: number } | undefined {
  const [length, sum] = d < 0 ? [-d, modulo(-target, modulus)] : [d, target];
  const multiples: number[] = [];
  const [begin, more] = [sum % length, modulus % length];
  for (let i = 0, rest = begin; i < length; i++, rest = (rest + more) % length) if (rest === 0) multiples.push(i);
  const picked = multiples[Math.floor(random() * multiples.length)];
  return picked === undefined ? undefined : { b: (sum + picked * modulus) / length, count: multiples.length };
}

/** Two different numbers below k. */
function twoBelow(k: number, random: Next): [number, number] {
  const one = Math.floor(random() * k);
  const other = Math.floor(random() * (k - 1));
  return [one, other < one ? other : other + 1];
}

/** Adds keys of which two positions coincide. */
function sampleKeys(stepping: Stepping, samples: number, into: Float64Array): void {
  const { k, modulus, sumsEach } = stepping;
  const carries = emptyCarries(k);
  const positions = new Float64Array(k);
  for (let n = 0; n < samples; n++) {
    const random = pointNumber(n);
    const [i, j] = twoBelow(k, random);
    stepping.carry(random(), random(), carries);
    const position = Math.floor(random() * stepping.bits);
    const sums = [i, j].map((at) => stepping.sumOf(position, at, carries, random() < 0.5 ? 0 : 1));
    const [first = 0, second = 0] = sums;
    const solved = solve(j - i, modulo(second - first, modulus), modulus, random);
    if (solved === undefined) continue;
    stepping.step(modulo(first - i * solved.b, modulus), solved.b, carries, positions);
    let ways = 0;
    let repeated = 0;
    for (let one = 0; one < k; one++) {
      let before = 0;
      for (let other = 0; other < one; other++) if (positions[one] === positions[other]) before++;
      ways += before;
      if (before > 0) repeated++;
    }
    const weight = (((k * (k - 1)) / 2) * solved.count * sumsEach) / modulus / ways / samples;
    into[k - repeated] = (into[k - repeated] ?? 0) + weight;
  }
}

/** Adds pairs of keys that have two positions in common. */
function samplePairs(stepping: Stepping, samples: number, into: Float64Array): void {
  const { k, modulus, sumsEach } = stepping;
  const [carriesA, carriesB] = [emptyCarries(k), emptyCarries(k)];
  const [positionsA, positionsB] = [new Float64Array(k), new Float64Array(k)];
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
    stepping.carry(random(), random(), carriesA);
    stepping.carry(random(), random(), carriesB);
    stepping.step(Math.floor(random() * modulus), Math.floor(random() * modulus), carriesA, positionsA);
    const first = stepping.sumOf(positionsA[i] ?? 0, from, carriesB, random() < 0.5 ? 0 : 1);
    const second = stepping.sumOf(positionsA[j] ?? 0, to, carriesB, random() < 0.5 ? 0 : 1);
    const solved = solve(to - from, modulo(second - first, modulus), modulus, random);
    if (solved === undefined) continue;
    stepping.step(modulo(first - from * solved.b, modulus), solved.b, carriesB, positionsB);
    const { distinct, common, ways } = compared(positionsA, positionsB);
    const weight = (solved.count * sumsEach ** 2) / modulus ** 2 / density / ways / samples;
    const entry = distinct * (k + 1) + common;
    into[entry] = (into[entry] ?? 0) + weight;
  }
}

/** Distinct positions of one key, those that another has too, and the ways to pick two pairs of them. */
function compared(one: Float64Array, other: Float64Array): { distinct: number; common: number; ways: number } {
  const k = one.length;
  const equalTo = new Uint32Array(k);
  let [distinct, common, matches, sharing] = [0, 0, 0, 0];
  for (let i = 0; i < k; i++) {
    const position = one[i] ?? 0;
    let equal = 0;
    for (let j = 0; j < k; j++) {
      if (other[j] !== position) continue;
      equal++;
      equalTo[j] = (equalTo[j] ?? 0) + 1;
    }
    matches += equal;
    sharing += equal ** 2;
    if (one.indexOf(position) < i) continue;
    distinct++;
    if (equal > 0) common++;
  }
  // All pairs of matches, but for those that share a position of one of the keys.
  return { distinct, common, ways: matches ** 2 - sharing - equalTo.reduce((sum, n) => sum + n ** 2, 0) + matches };
}
