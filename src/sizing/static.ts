// The arithmetic of filters that are made of all their keys at once, of which each leaves k bits.

import { equalDigestRate } from './bloom.ts';
import type { Estimate } from './cardinality.ts';
import { segmented } from './geometry.ts';
import { type SlotRules, slotArithmetic } from './slots.ts';
import type { Arithmetic } from './solve.ts';

/** Most bits that such a kind keeps of a key. */
export const STATIC_K_LIMIT = 32;

/** What such a kind has of its own. */
export interface StaticSizing extends Pick<SlotRules, 'segmentBits'> {
  /** Slots of a segment; 0 if it is none of the kind. */
  slots(segmentBits: number, k: number): number;
  /** The most keys of a segment. */
  limit(segmentBits: number, k: number): number;
}

/**
 * Bytes that are kept of a key of which k bits are: the kernel's `widthOf`. A stranger in a segment of n keys, fewer than
 * 2^22 / k, is equal to one of them with a chance of n / 2^(8 width), below a five-thousandth of 2^-k.
 */
export function staticWidth(k: number): number {
  return Math.min(8, Math.ceil((k + 32) / 8));
}

/** With a lower chance that one is missing the keys of a filter are counted exactly. */
const LEAST_MISSING = 0.01;

/** The distinct keys that make so many different ones in each segment: of n, n^2 / 2 pairs are equal in what is kept. */
export function distinctKeys(segmentKeys: readonly number[], k: number): Estimate {
  const values = 2 ** (8 * staticWidth(k));
  const keys = segmentKeys.reduce((all, some) => all + some, 0);
  const missing = segmentKeys.reduce((all, some) => all + some ** 2 / 2 / values, 0);
  return missing < LEAST_MISSING ? { count: keys, error: 0 } : { count: keys + missing, error: Math.sqrt(missing) };
}

/** The chance that k bits of a stranger are those that it meets. */
export function staticRate(k: number): number {
  return 2 ** -k;
}

export function staticArithmetic({ segmentBits, limit }: StaticSizing): Arithmetic {
  return slotArithmetic({
    fingerprintLimit: STATIC_K_LIMIT,
    segmentBits,
    fullRate: staticRate,
    rate(items, bits, k) {
      const geometry = segmented(bits);
      const isTooMany = items > geometry.segments * limit(geometry.segmentBits, k);
      return isTooMany ? 1 : staticRate(k) + equalDigestRate(items);
    },
  });
}
