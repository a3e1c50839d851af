// The arithmetic of filters that keep a fingerprint of every key in a slot of its own. Their k is the bits of a
// fingerprint: like every probe of a Bloom filter, each halves the rate.

import { LINE_BITS, SEGMENT_BITS_LIMIT } from './geometry.ts';
import { greatestThat, leastThat } from './search.ts';
import type { Arithmetic } from './solve.ts';

/** What such a kind has of its own. */
export interface SlotRules {
  /** Most bits of a fingerprint; there is at least one. */
  readonly fingerprintLimit: number;
  /**
   * Bits of a segment for n keys with fingerprints of so many bits; n need not be whole. More keys never take fewer bits:
   * how many fit is found by halving.
   */
  segmentBits(items: number, fingerprint: number): number;
  /** The expected rate of a filter that is as full as it should become. */
  fullRate(fingerprint: number): number;
  /** The expected rate of n keys in m bits; 1 if they do not fit. */
  rate(items: number, bits: number, fingerprint: number): number;
}

/** The arithmetic of a kind with such rules: segments as few and as full as its rules allow. */
export function slotArithmetic({ fingerprintLimit, segmentBits, fullRate, rate }: SlotRules): Arithmetic {
  const clamped = (fingerprint: number) => Math.min(Math.max(1, fingerprint), fingerprintLimit);
  const forRate = (fpr: number) => clamped(leastThat((bits) => bits >= fingerprintLimit || fullRate(bits) <= fpr));
  const bitsFor = (items: number, fingerprint: number) =>
    bitsInSegments(items, (share) => segmentBits(share, fingerprint));
  return {
    kLimit: fingerprintLimit,
    bits: (items, fpr, fingerprint = forRate(fpr)) => bitsFor(items, fingerprint),
    items: (bits, fpr, fingerprint = forRate(fpr)) => greatestThat((items) => bitsFor(items, fingerprint) <= bits),
    kForRate: forRate,
    // Longer ones can take fewer bits, where they fill the slots better: so all are tried.
    kForLoad(items, bits) {
      let fingerprint = fingerprintLimit;
      while (fingerprint > 1 && bitsFor(items, fingerprint) > bits) fingerprint--;
      return fingerprint;
    },
    rate,
  };
}

/**
 * The keys to size a filter for that gets so many, so many of them distinct, and that has a slot for so many copies of
 * each; fewer slots can be taken where there are copies, by a factor.
 */
export function roomForCopies(distinct: number, keys: number, copies: number, slack: number): number {
  return keys > distinct ? Math.ceil(slack * Math.min(keys, copies * distinct)) : distinct;
}

/** Bits of the fewest equal segments that have room for their shares of n keys. */
function bitsInSegments(items: number, segmentBitsFor: (items: number) => number): number {
  const bitsOf = (segments: number) => LINE_BITS * Math.ceil(segmentBitsFor(items / segments) / LINE_BITS);
  const segments = leastThat((count) => bitsOf(count) <= SEGMENT_BITS_LIMIT);
  return segments * bitsOf(segments);
}
