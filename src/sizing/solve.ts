import { BloomError } from '../errors.ts';
import { count, fixed, plural, rate } from '../quantities.ts';
import { equalDigestRate, hasEqualDigests } from './equal-digests.ts';
import { greatestThat } from './search.ts';

/** The values that a user states about a filter. The solver finds the others. */
export interface Constraints {
  readonly items?: number | undefined;
  readonly fpr?: number | undefined;
  readonly bits?: number | undefined;
  /** The flag that stated the bits, for messages; the default is --bits. */
  readonly bitsFlag?: '--memory' | undefined;
  readonly k?: number | undefined;
  readonly bitsPerKey?: number | undefined;
  /** The most bits of a segment. */
  readonly segmentBits?: number | undefined;
  /** Only for filters that grow; see `Chain`. */
  readonly growth?: number | undefined;
  readonly tightening?: number | undefined;
  /** Only for filters with protected keys: their number. */
  readonly protectedKeys?: number | undefined;
  /** The number of protected keys is that of a universe, members included. If no rate is stated, the size alone decides it. */
  readonly isUniverse?: boolean | undefined;
  /** The number of keys was counted, so the filter needs to hold no others. */
  readonly isCounted?: boolean | undefined;
}

/** A filter for `items` keys. `fpr` is the target rate or, if none was stated, the predicted rate. */
export interface Plan {
  readonly items: number;
  readonly fpr: number;
  readonly bits: number;
  readonly k: number;
  /** The predicted rate with `items` distinct keys. */
  readonly predictedFpr: number;
}

/** The arithmetic of a kind of filter. */
export interface Arithmetic {
  /** The only number of hash functions that the kind allows; undefined if it allows others. */
  readonly onlyK?: number;
  /** The highest number of hash functions; undefined if there is no limit. */
  readonly kLimit?: number;
  /** Bits for n keys at rate p, with k hash functions, or with the best number if k is not given. */
  bits(items: number, fpr: number, k?: number): number;
  /** The number of keys that m bits hold at rate p. */
  items(bits: number, fpr: number, k?: number): number;
  /** The best number of hash functions for a rate, and for n keys in m bits. */
  kForRate(fpr: number): number;
  kForLoad(items: number, bits: number): number;
  /** The expected rate with n distinct keys. */
  rate(items: number, bits: number, k: number): number;
}

/** The rate of a filter if no rate is stated. */
export const DEFAULT_FPR = 0.01;

/** The lowest rate that users can state. The rate of many keys is higher: see `equalDigestRate`. */
export const SMALLEST_RATE = 1e-15;

/** The rate that the bits must have so that bits and equal digests together have rate p. Not above 0 if p cannot be reached. */
function rateOfBits(items: number, fpr: number): number {
  return hasEqualDigests(items, fpr) ? fpr - equalDigestRate(items) : fpr;
}

/** The same rate. Throws a `usage` error if p cannot be reached. */
function requireReachable(items: number, fpr: number): number {
  const ofBits = rateOfBits(items, fpr);
  if (ofBits > 0) return ofBits;
  throw new BloomError(
    'usage',
    `${plural(items, 'key')} have a rate above ${rate(equalDigestRate(items))} in a filter of any size, not ${rate(fpr)}: their digests have 64 bits`,
    `state -p ${(2 * equalDigestRate(items)).toPrecision(2)} or higher, or fewer keys`,
  );
}

/** The number of keys that m bits hold at rate p, equal digests included. */
function itemsIn(arithmetic: Arithmetic, bits: number, fpr: number, k?: number): number {
  const items = arithmetic.items(bits, fpr, k);
  if (!hasEqualDigests(items, fpr)) return items;
  return greatestThat((some) => {
    const ofBits = rateOfBits(some, fpr);
    return ofBits > 0 && arithmetic.bits(some, ofBits, k) <= bits;
  });
}

/** n with headroom for growth: ceil(n (1 + share)). */
export function withHeadroom(items: number, share = 0): number {
  // In binary, 100 plus 10 % is 110.00000000000001. The result must not be 111.
  return Math.ceil(Number((items * (1 + share)).toPrecision(15)));
}

/**
 * Solves for the missing values of n, p, m and k. Sufficient are n and p, n and m, or m and p, each with or without k.
 * Bits per key can replace m. Returns undefined if too little is stated. Throws a `usage` error that names the flags if
 * the stated values contradict each other.
 */
export function solve(arithmetic: Arithmetic, stated: Constraints): Plan | undefined {
  const { onlyK, kLimit = Number.POSITIVE_INFINITY } = arithmetic;
  if (stated.k !== undefined && onlyK !== undefined && stated.k !== onlyK) {
    throw new BloomError(
      'usage',
      `this kind of filter has ${onlyK} hash functions, not ${stated.k}`,
      'leave out --hashes',
    );
  }
  if (stated.k !== undefined && stated.k > kLimit) {
    throw new BloomError(
      'usage',
      `this kind of filter has at most ${kLimit} hash functions, not ${stated.k}`,
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
    const ofBits = requireReachable(items, fpr);
    const m = arithmetic.bits(items, ofBits, stated);
    return completed(arithmetic, items, fpr, m, stated ?? arithmetic.kForRate(ofBits));
  }
  if (bits === undefined) return undefined;
  const n = itemsIn(arithmetic, bits, fpr, stated);
  if (n < 1) throw tooFew(constraints, bits, fpr);
  return completed(arithmetic, n, fpr, bits, stated ?? arithmetic.kForRate(rateOfBits(n, fpr)));
}

/**
 * The number of bits that the solver chooses must also suffice if it is stated. Its rate is above p for few or very
 * many keys.
 */
function usualBits(arithmetic: Arithmetic, items: number, fpr: number, k?: number): number {
  const ofBits = requireReachable(items, fpr);
  return arithmetic.bits(items, ofBits, k === arithmetic.kForRate(ofBits) ? undefined : k);
}

/** Replaces the bits per key by keys or bits, if one of them is stated. */
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

/** Sizes follow the usual formula with a real k. An integer k may miss the target rate by this factor. */
export const ROUNDING_TOLERANCE = 1.05;

/** A filter is unhealthy if its rate is more than this many times its target. */
export const RATE_LIMIT = 2;

/** Users round bits per key. */
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

/** The error for bits that hold no key at a rate. The rate may be the default. */
function tooFew({ bitsFlag, k }: Constraints, bits: number, fpr: number): BloomError {
  const [withK, orK] = k === undefined ? ['', ''] : [` with k = ${k}`, ', or leave out --hashes'];
  const why = `${bitsHold(bits)} no key at a rate of ${rate(fpr)}${withK}`;
  return new BloomError('usage', `${bitsFlag ?? '--bits'} is too small: ${why}`, `state more, or a higher -p${orK}`);
}

function contradiction(constraints: Constraints, why: string): BloomError {
  const stated = FLAGS.filter(([field]) => constraints[field] !== undefined).map(([field, flag]) =>
    field === 'bits' ? (constraints.bitsFlag ?? flag) : flag,
  );
  return new BloomError('usage', `${stated.join(', ')} contradict each other: ${why}`, 'leave out one of them');
}
