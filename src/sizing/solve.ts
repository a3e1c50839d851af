import { BloomError } from '../errors.ts';
import { count, fixed, rate } from '../quantities.ts';

/** What a user may state about a filter; the solver finds the rest. */
export interface Constraints {
  readonly items?: number | undefined;
  readonly fpr?: number | undefined;
  readonly bits?: number | undefined;
  /** The flag that states the bits, for messages; --bits if none is said. */
  readonly bitsFlag?: '--memory' | undefined;
  readonly k?: number | undefined;
  readonly bitsPerKey?: number | undefined;
  /** Most bits of a segment. */
  readonly segmentBits?: number | undefined;
  /** Of filters that grow; see `Chain`. */
  readonly growth?: number | undefined;
  readonly tightening?: number | undefined;
}

/** A filter for `items` keys: `fpr` is the rate asked for or, if none was, the predicted one. */
export interface Plan {
  readonly items: number;
  readonly fpr: number;
  readonly bits: number;
  readonly k: number;
  /** Expected rate once `items` distinct keys are in. */
  readonly predictedFpr: number;
}

/** The arithmetic of a kind of filter. */
export interface Arithmetic {
  /** The only number of hashes that it can have; undefined if any will do. */
  readonly onlyK?: number;
  /** The greatest; undefined if there is none. */
  readonly kLimit?: number;
  /** Bits for n keys at rate p, with a given number of hashes or else with the best. */
  bits(items: number, fpr: number, k?: number): number;
  /** Keys that m bits hold at rate p. */
  items(bits: number, fpr: number, k?: number): number;
  /** The best number of hashes for a rate, and for n keys in m bits. */
  kForRate(fpr: number): number;
  kForLoad(items: number, bits: number): number;
  /** The expected rate once n distinct keys are in. */
  rate(items: number, bits: number, k: number): number;
}

/** The rate of a filter where nobody states one. */
export const DEFAULT_FPR = 0.01;

/** Rates below this are beyond what 64-bit digests can promise. */
export const SMALLEST_RATE = 1e-15;

/** n and room for growth: ceil(n (1 + share)). */
export function withHeadroom(items: number, share = 0): number {
  // 100 and 10 % are 110.00000000000001 in binary, and must not become 111.
  return Math.ceil(Number((items * (1 + share)).toPrecision(15)));
}

/**
 * Solves for whichever of n, p, m and k is missing: n and p, n and m, or m and p (each with or without k) suffice,
 * and a number of bits per key replaces m. Returns undefined when too little is stated; throws a `usage` error that
 * names the flags when more is stated than can be true.
 */
export function solve(arithmetic: Arithmetic, stated: Constraints): Plan | undefined {
  const { onlyK, kLimit = Number.POSITIVE_INFINITY } = arithmetic;
  if (stated.k !== undefined && onlyK !== undefined && stated.k !== onlyK) {
    throw new BloomError('usage', `this kind of filter has ${onlyK} hashes, not ${stated.k}`, 'drop --hashes');
  }
  if (stated.k !== undefined && stated.k > kLimit) {
    throw new BloomError(
      'usage',
      `this kind of filter has ${kLimit} hashes at most, not ${stated.k}`,
      'lower -k, or choose another --kind',
    );
  }
  return solveFor(arithmetic, stated);
}

function solveFor(arithmetic: Arithmetic, constraints: Constraints): Plan | undefined {
  const { items, bits, bitsPerKey, fpr, k: stated } = withBits(constraints);
  if (items !== undefined && bits !== undefined) {
    const k = stated ?? arithmetic.kForLoad(items, bits);
    const plan = completed(arithmetic, items, fpr, bits, k);
    if (
      fpr !== undefined &&
      bits < usualBits(arithmetic, items, fpr, stated) &&
      plan.predictedFpr > fpr * ROUNDING_TOLERANCE
    ) {
      throw contradiction(
        constraints,
        `${bitsHold(bits)} ${count(items)} keys at a rate of ${rate(plan.predictedFpr)} with k = ${k}, not ${rate(fpr)}`,
      );
    }
    return plan;
  }
  if (bitsPerKey !== undefined || fpr === undefined) return undefined;
  if (items !== undefined) {
    const m = arithmetic.bits(items, fpr, stated);
    return completed(arithmetic, items, fpr, m, stated ?? arithmetic.kForRate(fpr));
  }
  if (bits === undefined) return undefined;
  const n = arithmetic.items(bits, fpr, stated);
  if (n < 1) throw tooFew(constraints, bits, fpr);
  return completed(arithmetic, n, fpr, bits, stated ?? arithmetic.kForRate(fpr));
}

/** What is answered when no bits are stated is enough when they are: of few keys, and of very many, the rate is above p. */
function usualBits(arithmetic: Arithmetic, items: number, fpr: number, k?: number): number {
  return arithmetic.bits(items, fpr, k === arithmetic.kForRate(fpr) ? undefined : k);
}

/** Puts the number of bits per key into effect, where the keys or the bits are stated. */
function withBits(constraints: Constraints): Constraints {
  const { items, bits, bitsPerKey } = constraints;
  if (bitsPerKey === undefined) return constraints;
  if (items !== undefined && bits !== undefined) {
    const implied = bits / items;
    if (Math.abs(implied - bitsPerKey) > BITS_PER_KEY_TOLERANCE * bitsPerKey) {
      throw contradiction(
        constraints,
        `${count(bits)} bits for ${count(items)} keys are ${fixed(implied)} bits per key, not ${bitsPerKey}`,
      );
    }
    return constraints;
  }
  if (items !== undefined) return { ...constraints, bits: Math.ceil(items * bitsPerKey) };
  if (bits === undefined) return constraints;
  const n = Math.floor(bits / bitsPerKey);
  if (n < 1) throw contradiction(constraints, `${bitsHold(bits)} no key at ${bitsPerKey} bits per key`);
  return { ...constraints, items: n };
}

/** Sizes follow the usual formula with a real k, so an integer k may miss the rate asked for by this factor. */
export const ROUNDING_TOLERANCE = 1.05;

/** A filter is unhealthy when its rate is over this many times its target. */
export const RATE_LIMIT = 2;

/** People round bits per key. */
const BITS_PER_KEY_TOLERANCE = 0.01;

function completed(arithmetic: Arithmetic, items: number, fpr: number | undefined, bits: number, k: number): Plan {
  const predictedFpr = arithmetic.rate(items, bits, k);
  return { items, fpr: fpr ?? predictedFpr, bits, k, predictedFpr };
}

/** The flags of constraints. */
const FLAGS = [
  ['items', '--items'],
  ['bits', '--bits'],
  ['bitsPerKey', '--bits-per-key'],
  ['k', '--hashes'],
  ['fpr', '--fpr'],
] as const;

function bitsHold(bits: number): string {
  return bits === 1 ? '1 bit holds' : `${count(bits)} bits hold`;
}

/** The error for bits that hold no key at a rate, which nobody need have stated. */
function tooFew({ bitsFlag, k }: Constraints, bits: number, fpr: number): BloomError {
  const [withK, orK] = k === undefined ? ['', ''] : [` with k = ${k}`, ', or drop --hashes'];
  const why = `${bitsHold(bits)} no key at a rate of ${rate(fpr)}${withK}`;
  return new BloomError('usage', `${bitsFlag ?? '--bits'} is too small: ${why}`, `state more, or a higher --fpr${orK}`);
}

function contradiction(constraints: Constraints, why: string): BloomError {
  const stated = FLAGS.filter(([field]) => constraints[field] !== undefined).map(([field, flag]) =>
    field === 'bits' ? (constraints.bitsFlag ?? flag) : flag,
  );
  return new BloomError('usage', `${stated.join(', ')} contradict each other: ${why}`, 'drop one of them');
}
