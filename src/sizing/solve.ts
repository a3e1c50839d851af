import { BloomError } from '../errors.ts';
import { inDigits, inPercent } from './digits.ts';

/** What a user may state about a filter; the solver finds the rest. */
export interface Wish {
  readonly items?: number | undefined;
  readonly fpr?: number | undefined;
  readonly bits?: number | undefined;
  /** The flag that states the bits, for messages; --bits if none is said. */
  readonly bitsFlag?: '--memory' | undefined;
  readonly hashes?: number | undefined;
  readonly bitsPerKey?: number | undefined;
  /** Of filters that grow; see `Chain`. */
  readonly growth?: number | undefined;
  readonly tightening?: number | undefined;
}

/** A filter for `items` keys: `fpr` is the rate asked for or, if none was, the predicted one. */
export interface Plan {
  readonly items: number;
  readonly fpr: number;
  readonly bits: number;
  readonly hashes: number;
  /** Expected rate once `items` distinct keys are in. */
  readonly predictedFpr: number;
}

/** The arithmetic of a kind of filter. */
export interface Arithmetic {
  /** The only number of hashes that it can have; undefined if any will do. */
  readonly onlyHashes?: number;
  /** The greatest; undefined if there is none. */
  readonly hashesLimit?: number;
  /** Bits for n keys at rate p, with a given number of hashes or else with the best. */
  bits(items: number, fpr: number, hashes?: number): number;
  /** Keys that m bits hold at rate p. */
  items(bits: number, fpr: number, hashes?: number): number;
  /** The best number of hashes for a rate, and for n keys in m bits. */
  hashesForRate(fpr: number): number;
  hashesForLoad(items: number, bits: number): number;
  /** The expected rate once n distinct keys are in. */
  rate(items: number, bits: number, hashes: number): number;
}

/**
 * Solves for whichever of n, p, m and k is missing: n and p, n and m, or m and p (each with or without k) suffice,
 * and a number of bits per key replaces m. Returns undefined when too little is stated; throws a `usage` error that
 * names the flags when more is stated than can be true.
 */
export function solve(arithmetic: Arithmetic, stated: Wish): Plan | undefined {
  const { onlyHashes, hashesLimit = Number.POSITIVE_INFINITY } = arithmetic;
  if (stated.hashes !== undefined && onlyHashes !== undefined && stated.hashes !== onlyHashes) {
    throw new BloomError(
      'usage',
      `this kind of filter has ${onlyHashes} hashes, not ${stated.hashes}`,
      'drop --hashes',
    );
  }
  if (stated.hashes !== undefined && stated.hashes > hashesLimit) {
    throw new BloomError(
      'usage',
      `this kind of filter has ${hashesLimit} hashes at most, not ${stated.hashes}`,
      'lower -k, or choose another --kind',
    );
  }
  return solveFor(arithmetic, stated);
}

function solveFor(arithmetic: Arithmetic, wish: Wish): Plan | undefined {
  const { items, bits, bitsPerKey, fpr, hashes } = withBits(wish);
  if (items !== undefined && bits !== undefined) {
    const k = hashes ?? arithmetic.hashesForLoad(items, bits);
    const plan = completed(arithmetic, items, fpr, bits, k);
    if (
      fpr !== undefined &&
      bits < usualBits(arithmetic, items, fpr, hashes) &&
      plan.predictedFpr > fpr * ROUNDING_TOLERANCE
    ) {
      throw contradiction(
        wish,
        `${bitsHold(bits)} ${inDigits(items)} keys at a rate of ${inPercent(plan.predictedFpr)} with k = ${k}, not ${inPercent(fpr)}`,
      );
    }
    return plan;
  }
  if (bitsPerKey !== undefined || fpr === undefined) return undefined;
  if (items !== undefined) {
    const m = arithmetic.bits(items, fpr, hashes);
    return completed(arithmetic, items, fpr, m, hashes ?? arithmetic.hashesForRate(fpr));
  }
  if (bits === undefined) return undefined;
  const n = arithmetic.items(bits, fpr, hashes);
  if (n < 1) throw contradiction(wish, `${bitsHold(bits)} no key at a rate of ${inPercent(fpr)}`);
  return completed(arithmetic, n, fpr, bits, hashes ?? arithmetic.hashesForRate(fpr));
}

/** What is answered when no bits are stated is enough when they are: of few keys, and of very many, the rate is above p. */
function usualBits(arithmetic: Arithmetic, items: number, fpr: number, hashes?: number): number {
  return arithmetic.bits(items, fpr, hashes === arithmetic.hashesForRate(fpr) ? undefined : hashes);
}

/** Puts the number of bits per key into effect, where the keys or the bits are stated. */
function withBits(wish: Wish): Wish {
  const { items, bits, bitsPerKey } = wish;
  if (bitsPerKey === undefined) return wish;
  if (items !== undefined && bits !== undefined) {
    const implied = bits / items;
    if (Math.abs(implied - bitsPerKey) > BITS_PER_KEY_TOLERANCE * bitsPerKey) {
      throw contradiction(
        wish,
        `${inDigits(bits)} bits for ${inDigits(items)} keys are ${inDigits(Number(implied.toPrecision(3)))} bits per key, not ${inDigits(bitsPerKey)}`,
      );
    }
    return wish;
  }
  if (items !== undefined) return { ...wish, bits: Math.ceil(items * bitsPerKey) };
  if (bits === undefined) return wish;
  const n = Math.floor(bits / bitsPerKey);
  if (n < 1) throw contradiction(wish, `${bitsHold(bits)} no key at ${inDigits(bitsPerKey)} bits per key`);
  return { ...wish, items: n };
}

/** Sizes follow the usual formula with a real k, so an integer k may miss the rate asked for by this factor. */
export const ROUNDING_TOLERANCE = 1.05;

/** People round bits per key. */
const BITS_PER_KEY_TOLERANCE = 0.01;

function completed(arithmetic: Arithmetic, items: number, fpr: number | undefined, bits: number, hashes: number): Plan {
  const predictedFpr = arithmetic.rate(items, bits, hashes);
  return { items, fpr: fpr ?? predictedFpr, bits, hashes, predictedFpr };
}

/** The flags of a wish. */
const FLAGS = [
  ['items', '--items'],
  ['bits', '--bits'],
  ['bitsPerKey', '--bits-per-key'],
  ['hashes', '--hashes'],
  ['fpr', '--fpr'],
] as const;

function bitsHold(bits: number): string {
  return bits === 1 ? '1 bit holds' : `${inDigits(bits)} bits hold`;
}

function contradiction(wish: Wish, why: string): BloomError {
  const stated = FLAGS.filter(([field]) => wish[field] !== undefined).map(([field, flag]) =>
    field === 'bits' ? (wish.bitsFlag ?? flag) : flag,
  );
  return new BloomError('usage', `${stated.join(', ')} contradict each other: ${why}`, 'drop one of them');
}
