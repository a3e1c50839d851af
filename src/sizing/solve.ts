import { BloomError } from '../errors.ts';
import { bestHashes, bitsFor, bitsForHashes, capacityFor, falsePositiveRate, hashesFor } from './bloom.ts';

/** What a user may state about a filter; the solver finds the rest. */
export interface Wish {
  readonly items?: number | undefined;
  readonly fpr?: number | undefined;
  readonly bits?: number | undefined;
  readonly hashes?: number | undefined;
  readonly bitsPerKey?: number | undefined;
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

/**
 * Solves for whichever of n, p, m and k is missing: n and p, n and m, or m and p (each with or without k) suffice,
 * and a number of bits per key replaces m. Returns undefined when too little is stated; throws a `usage` error that
 * names the flags when more is stated than can be true.
 */
export function solve(wish: Wish): Plan | undefined {
  const { bitsPerKey, ...rest } = wish;
  if (bitsPerKey === undefined) return solveBits(rest);
  if (rest.items !== undefined && rest.bits !== undefined) {
    const implied = rest.bits / rest.items;
    if (Math.abs(implied - bitsPerKey) > 0.01 * bitsPerKey) {
      throw contradiction(
        ['--items', '--bits', '--bits-per-key'],
        `${rest.bits} bits for ${rest.items} keys are ${implied.toPrecision(3)} bits per key, not ${bitsPerKey}`,
      );
    }
    return solveBits(rest);
  }
  if (rest.items !== undefined) return solveBits({ ...rest, bits: Math.ceil(rest.items * bitsPerKey) });
  if (rest.bits !== undefined) return solveBits({ ...rest, items: Math.floor(rest.bits / bitsPerKey) });
  return undefined;
}

function solveBits({ items, fpr, bits, hashes }: Wish): Plan | undefined {
  if (items !== undefined && bits !== undefined) {
    const k = hashes ?? bestHashes(items, bits);
    const plan = completed(items, fpr, bits, k);
    if (fpr !== undefined && plan.predictedFpr > fpr * ROUNDING_TOLERANCE) {
      const flags = ['--items', '--bits', ...(hashes === undefined ? [] : ['--hashes']), '--fpr'];
      throw contradiction(
        flags,
        `${bits} bits hold ${items} keys at a rate of ${plan.predictedFpr.toPrecision(3)} with k = ${k}, not ${fpr}`,
      );
    }
    return plan;
  }
  if (items !== undefined && fpr !== undefined) {
    const m = hashes === undefined ? bitsFor(items, fpr) : bitsForHashes(items, fpr, hashes);
    return completed(items, fpr, m, hashes ?? hashesFor(fpr));
  }
  if (bits !== undefined && fpr !== undefined) {
    const n = capacityFor(bits, fpr, hashes);
    if (n < 1) throw contradiction(['--bits', '--fpr'], `${bits} bits hold no key at a rate of ${fpr}`);
    return completed(n, fpr, bits, hashes ?? hashesFor(fpr));
  }
  return undefined;
}

/** Sizes follow the usual formula with a real k, so an integer k may miss the rate asked for by this factor. */
const ROUNDING_TOLERANCE = 1.05;

function completed(items: number, fpr: number | undefined, bits: number, hashes: number): Plan {
  const predictedFpr = falsePositiveRate(items, bits, hashes);
  return { items, fpr: fpr ?? predictedFpr, bits, hashes, predictedFpr };
}

function contradiction(flags: readonly string[], why: string): BloomError {
  return new BloomError('usage', `${flags.join(', ')} contradict each other: ${why}`, 'drop one of them');
}
