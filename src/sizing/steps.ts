// Positions by double hashing (Kirsch & Mitzenmacher 2006, "Less hashing, same performance"), as numbers: from two words a
// and b of a digest a key gets the k positions (a + i b) mod m.

import { modulo, type Next, solve } from './congruences.ts';

/** What a system does to the sums a + i b before it takes them modulo m. */
export interface Steps {
  /** Bits of a sum. The bits above are lost, and 2^sumBits is not 0 modulo m. Without it no sum is too large. */
  readonly sumBits?: 32 | 63 | 64;
  /** Both words follow from one hash of so many bits, so that keys with equal hashes share all positions. */
  readonly hashBits?: 32;
  /** The sums have a sign. A negative x becomes -x, or -1 - x. */
  readonly negative?: 'negated' | 'complemented';
  /** Each sum is halved and rounded down. */
  readonly isHalved?: true;
  /** The second step is longer than the first by 1, the third is longer than the second by 2, and so on. */
  readonly isLonger?: true;
  /** Each position follows from a product instead: the last number times an odd one, modulo 2^64. */
  readonly isProduct?: true;
  /** Even and odd positions have words a of their own, and two words b take turns. */
  readonly isAlternating?: true;
}

/** The systems' steps, by the names of their position rules and of their variants. */
export const STEPS = {
  'double-hashing': { sumBits: 64 },
  /** The words of RedisBloom before `force64` have 32 bits, and no sum is too large. */
  'double-hashing-32': {},
  'guava-64': { sumBits: 63 },
  'guava-32': { sumBits: 32, negative: 'complemented' },
  'spark-1': { sumBits: 32, negative: 'complemented' },
  'spark-2': {},
  cassandra: { sumBits: 64, negative: 'negated' },
  'cassandra-2': { sumBits: 64, negative: 'negated' },
  datasketches: { sumBits: 64, isHalved: true },
  poppy: { isLonger: true },
  dcso: { isProduct: true },
  'bits-and-blooms': { sumBits: 64, isAlternating: true },
  hbase: { sumBits: 32, negative: 'negated' },
  'npm-bloom-filters': { isLonger: true },
  leveldb: { sumBits: 32, hashBits: 32 },
  'rocksdb-legacy': { hashBits: 32 },
} as const satisfies Readonly<Record<string, Steps>>;

/** The arithmetic of k positions in m bits. */
export interface Stepping {
  readonly bits: number;
  readonly k: number;
  /** Coordinates that each of the functions below takes from a point at most. */
  readonly coordinates: number;
  /** Writes the positions of a random key. */
  draw(next: Next, positions: Float64Array): void;
  /**
   * Writes the positions of a random key whose position number `from` is `first` and whose number `to` is `second`. Returns its weight,
   * the mean of which is the chance that a key has both; 0 if there is no such key.
   */
  through(from: number, first: number, to: number, second: number, next: Next, positions: Float64Array): number;
}

/** What follows from the high bits of a key's words, which are independent of their remainders. */
interface Carries {
  /** What each sum misses, modulo `modulus`. */
  readonly missing: Float64Array;
  /** 1 for each sum that is negative. */
  readonly negative: Uint8Array;
}

/** Steps of k positions in m bits, which are 2^45 at most: sums stay below 2^53. */
export function steppingOf(steps: Steps, bits: number, k: number): Stepping {
  const { sumBits, negative, isHalved = false, isLonger = false } = steps;
  const modulus = isHalved ? 2 * bits : bits;
  /** Sums that become the same position. */
  const sumsEach = isHalved ? 2 : 1;
  const overflow = overflowOf(sumBits, modulus);
  // 2^sumBits - x, or that less 1.
  const mirrored = (x: number) => modulo(overflow - (negative === 'complemented' ? 1 : 0) - x, bits);
  const hasSigns = negative !== undefined;
  const carries: Carries = { missing: new Float64Array(k), negative: new Uint8Array(k) };

  /** Writes what follows from words that are these fractions, from 0 to 1, of 2^sumBits. */
  const carry = (a: number, b: number) => {
    let fraction = a;
    let missing = 0;
    for (let i = 0; i < k; i++) {
      carries.negative[i] = hasSigns && fraction >= 0.5 ? 1 : 0;
      // Number i has got i b and (i - 1) i (i + 1) / 6, the sum of what its steps are longer.
      carries.missing[i] = isLonger ? modulo(missing - ((i - 1) * i * (i + 1)) / 6, modulus) : missing;
      fraction += b;
      if (fraction < 1) continue;
      fraction--;
      missing += overflow;
      if (missing >= modulus) missing -= modulus;
    }
  };

  /** Writes the positions that words with these remainders have. */
  const step = (a: number, b: number, positions: Float64Array) => {
    let sum = a;
    for (let i = 0; i < k; i++) {
      const rest = sum - (carries.missing[i] ?? 0);
      const kept = rest < 0 ? rest + modulus : rest;
      positions[i] = isHalved ? Math.floor(kept / 2) : carries.negative[i] === 1 ? mirrored(kept) : kept;
      sum += b;
      if (sum >= modulus) sum -= modulus;
    }
  };

  /** A sum that becomes this position as number i of a key: number `which` of `sumsEach`. */
  const sumOf = (position: number, i: number, which: number) =>
    modulo(
      (carries.missing[i] ?? 0) +
        (isHalved ? 2 * position + which : carries.negative[i] === 1 ? mirrored(position) : position),
      modulus,
    );

  return {
    bits,
    k,
    coordinates: 5,
    draw(next, positions) {
      carry(next(), next());
      step(Math.floor(next() * modulus), Math.floor(next() * modulus), positions);
    },
    through(from, first, to, second, next, positions) {
      carry(next(), next());
      const sum = sumOf(first, from, Math.floor(next() * 2));
      const other = sumOf(second, to, Math.floor(next() * 2));
      const solved = solve(to - from, modulo(other - sum, modulus), modulus, next);
      if (solved === undefined) return 0;
      step(modulo(sum - from * solved.x, modulus), solved.x, positions);
      return (solved.count * sumsEach ** 2) / modulus ** 2;
    },
  };
}

/** What a sum loses, modulo m, each time that it reaches 2^sumBits. */
export function overflowOf(sumBits: number | undefined, modulus: number): number {
  return sumBits === undefined ? 0 : Number(2n ** BigInt(sumBits) % BigInt(modulus));
}
