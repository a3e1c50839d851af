// The arithmetic of filters that are made of all their keys at once, of which each leaves k bits.

import { equalDigestRate } from './bloom.ts';
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
