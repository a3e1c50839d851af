// Positions by double hashing (Kirsch & Mitzenmacher 2006, "Less hashing, same performance"), as numbers. A key gets
// the k positions (a + i b) mod m, from two words a and b of its digest.

import { modulo, type Next, solve } from './congruences.ts';

/** How a system changes the sums a + i b before it takes them modulo m. */
export interface Steps {
  /** Bits of a sum. Higher bits are lost, and 2^sumBits is not 0 modulo m. If undefined, no sum overflows. */
  readonly sumBits?: 32 | 63 | 64;
  /** Both words follow from one hash of this many bits. Keys with equal hashes share all positions. */
  readonly hashBits?: 32;
  /** The sums are signed. A negative x becomes -x ('negated') or -1 - x ('complemented'). */
  readonly negative?: 'negated' | 'complemented';
  /** Each sum is halved and rounded down. */
  readonly isHalved?: true;
  /** The second step is longer than the first by 1, the third is longer than the second by 2, and so on. */
  readonly isLonger?: true;
  /** Each position follows from a product: the number of the last position times an odd number, modulo 2^64. */
  readonly isProduct?: true;
  /** Even and odd positions have different words a, and two words b alternate. */
  readonly isAlternating?: true;
}

/** The steps of the systems, by the names of their position rules and variants. */
export const STEPS = {
  'double-hashing': { sumBits: 64 },
  /** RedisBloom's words before `force64` have 32 bits, so no sum overflows. */
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
  /** The most coordinates that each function below takes from a point. */
  readonly coordinates: number;
  /** Writes the positions of a random key. */
  draw(next: Next, positions: Float64Array): void;
  /**
   * Writes the positions of a random key with position `from` equal to `first` and position `to` equal to `second`.
   * Returns the weight of the key; 0 if there is no such key. The mean of the weights is the chance that a key has both
   * positions.
   */
  through(from: number, first: number, to: number, second: number, next: Next, positions: Float64Array): number;
}

/** Values from the high bits of a key's words. They are independent of the remainders of the words. */
interface Carries {
  /** The loss of each sum, modulo `modulus`. */
  readonly missing: Float64Array;
  /** 1 for each negative sum. */
  readonly negative: Uint8Array;
}

/** The stepping of k positions in m bits. m is at most 2^45, so sums stay below 2^53. */
export function steppingOf(steps: Steps, bits: number, k: number): Stepping {
  const { sumBits, negative, isHalved = false, isLonger = false } = steps;
  const modulus = isHalved ? 2 * bits : bits;
  /** The number of sums that become the same position. */
  const sumsEach = isHalved ? 2 : 1;
  const overflow = overflowOf(sumBits, modulus);
  // 2^sumBits - x, less 1 if complemented.
  const mirrored = (x: number) => modulo(overflow - (negative === 'complemented' ? 1 : 0) - x, bits);
  const hasSigns = negative !== undefined;
  const carries: Carries = { missing: new Float64Array(k), negative: new Uint8Array(k) };

  /** Writes the carries of words that are the fractions a and b, from 0 to 1, of 2^sumBits. */
  const carry = (a: number, b: number) => {
    let fraction = a;
    let missing = 0;
    for (let i = 0; i < k; i++) {
      carries.negative[i] = hasSigns && fraction >= 0.5 ? 1 : 0;
      // Number i is i b plus (i - 1) i (i + 1) / 6, the sum of the additional lengths of its steps.
      carries.missing[i] = isLonger ? modulo(missing - ((i - 1) * i * (i + 1)) / 6, modulus) : missing;
      fraction += b;
      if (fraction < 1) continue;
      fraction--;
      missing += overflow;
      if (missing >= modulus) missing -= modulus;
    }
  };

  /** Writes the positions of words with these remainders. */
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

  /** A sum that becomes this position as position i of a key. `which` selects one of `sumsEach` sums. */
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

/** The loss of a sum, modulo m, each time it reaches 2^sumBits. */
export function overflowOf(sumBits: number | undefined, modulus: number): number {
  return sumBits === undefined ? 0 : Number(2n ** BigInt(sumBits) % BigInt(modulus));
}
