// The arithmetic of filters that keep a fingerprint of each key in its own slot. Their k is the bits of a fingerprint.
// Each bit halves the rate, like a probe of a Bloom filter.

import { LINE_BITS, SEGMENT_BITS_LIMIT } from './geometry.ts';
import { greatestThat, leastThat } from './search.ts';
import type { Arithmetic } from './solve.ts';

/** The rules that differ between such kinds. */
export interface SlotRules {
  /** The most bits of a fingerprint. The fewest is 1. */
  readonly fingerprintLimit: number;
  /**
   * Bits of a segment for n keys, where n need not be whole. More keys never need fewer bits, because the search for
   * the capacity relies on this.
   */
  segmentBits(items: number, fingerprint: number): number;
  /** Bits of a filter for n keys, if its segments are not as few as possible. */
  readonly bits?: ((items: number, fingerprint: number) => number) | undefined;
  /** The expected rate of a filter at its capacity. */
  fullRate(fingerprint: number): number;
  /** The expected rate of n keys in m bits; 1 if they do not fit. */
  rate(items: number, bits: number, fingerprint: number): number;
}

/** The arithmetic of a kind with these rules. It makes the fewest and fullest segments that the rules allow. */
export function slotArithmetic({
  fingerprintLimit,
  segmentBits,
  bits: ownBits,
  fullRate,
  rate,
}: SlotRules): Arithmetic {
  const clamped = (fingerprint: number) => Math.min(Math.max(1, fingerprint), fingerprintLimit);
  const forRate = (fpr: number) => clamped(leastThat((bits) => bits >= fingerprintLimit || fullRate(bits) <= fpr));
  const bitsFor =
    ownBits ??
    ((items: number, fingerprint: number) => bitsInSegments((segments) => segmentBits(items / segments, fingerprint)));
  return {
    kLimit: fingerprintLimit,
    bits: (items, fpr, fingerprint = forRate(fpr)) => bitsFor(items, fingerprint),
    items: (bits, fpr, fingerprint = forRate(fpr)) => greatestThat((items) => bitsFor(items, fingerprint) <= bits),
    kForRate: forRate,
    // A longer fingerprint can need fewer bits if it fills the slots better. So all lengths are tried.
    kForLoad(items, bits) {
      let fingerprint = fingerprintLimit;
      while (fingerprint > 1 && bitsFor(items, fingerprint) > bits) fingerprint--;
      return fingerprint;
    },
    rate,
  };
}

/**
 * The number of keys to size a filter for, if it gets `keys` keys and `distinct` of them are distinct. Each key has
 * slots for `copies` copies. The number grows by the factor `slack` if there are copies, because fewer slots can be
 * filled.
 */
export function itemsForCopies(distinct: number, keys: number, copies: number, slack: number): number {
  return keys > distinct ? Math.ceil(slack * Math.min(keys, copies * distinct)) : distinct;
}

/** Bits of the fewest equal segments. `segmentBitsFor` gives the bits per segment for a number of segments. */
export function bitsInSegments(segmentBitsFor: (segments: number) => number): number {
  const bitsOf = (segments: number) => LINE_BITS * Math.ceil(segmentBitsFor(segments) / LINE_BITS);
  const segments = leastThat((count) => bitsOf(count) <= SEGMENT_BITS_LIMIT);
  return segments * bitsOf(segments);
}
