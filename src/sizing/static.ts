// The arithmetic of filters that are made of all keys at once and keep k bits per key.

import type { Estimate } from './cardinality.ts';
import { equalDigestRate } from './equal-digests.ts';
import { type Geometry, SEGMENT_BITS_LIMIT } from './geometry.ts';
import { type SlotRules, slotArithmetic } from './slots.ts';
import { bitsInSmallSegments, fits, type KeysLimit, staticGeometry } from './small-segments.ts';
import type { Arithmetic } from './solve.ts';

/** The most bits per key that such a kind keeps. */
export const STATIC_K_LIMIT = 32;

/** The rules that differ between such kinds. */
export interface StaticSizing extends Pick<SlotRules, 'segmentBits'> {
  /** The slots of a segment; 0 if the size is not one of this kind. */
  slots(segmentBits: number, k: number): number;
  readonly limit: KeysLimit;
}

/**
 * Bytes that a draft keeps of a key, for k bits in the final filter: the kernel's `widthOf`. A segment has n keys,
 * fewer than 2^22 / k. A non-member equals one of them with a chance of n / 2^(8 width), below a five-thousandth of
 * 2^-k.
 */
export function staticWidth(k: number): number {
  return Math.min(8, Math.ceil((k + 32) / 8));
}

/** If the expected number of missing keys is lower, the keys of a filter count as exact. */
const LEAST_MISSING = 0.01;

/**
 * The number of distinct keys, from the number of different kept values in each segment. There are n^2 / 2 pairs of n
 * keys. The kept bytes of a pair are equal with a chance of 1 / `values`.
 */
export function distinctKeys(segmentKeys: readonly number[], k: number): Estimate {
  const values = 2 ** (8 * staticWidth(k));
  const keys = segmentKeys.reduce((all, some) => all + some, 0);
  const missing = segmentKeys.reduce((all, some) => all + some ** 2 / 2 / values, 0);
  return missing < LEAST_MISSING ? { count: keys, error: 0 } : { count: keys + missing, error: Math.sqrt(missing) };
}

/** The chance that the k bits of a non-member match. */
export function staticRate(k: number): number {
  return 2 ** -k;
}

/** The arithmetic for segments of at most `most` bits. */
export function staticArithmetic({ segmentBits, limit }: StaticSizing, most = SEGMENT_BITS_LIMIT): Arithmetic {
  return slotArithmetic({
    fingerprintLimit: STATIC_K_LIMIT,
    segmentBits,
    fullRate: staticRate,
    bits: most === SEGMENT_BITS_LIMIT ? undefined : (items, k) => bitsInSmallSegments(limit, items, most, k),
    rate: (items, bits, k) => predictedRate(limit, items, staticGeometry(limit, bits, k, most), k),
  });
}

/** The expected rate of n keys in such segments; 1 if they do not fit. */
export function predictedRate(limit: KeysLimit, items: number, geometry: Geometry, k: number): number {
  return fits(limit, items, geometry, k) ? staticRate(k) + equalDigestRate(items) : 1;
}
