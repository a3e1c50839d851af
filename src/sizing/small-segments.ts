// Small segments of filters that are made of all keys at once. Keys choose their segments by chance, so some segments
// get more keys than others, and the small ones differ most. None may get more keys than it can hold.

import { type Geometry, LINE_BITS, SEGMENT_BITS_LIMIT, segmented } from './geometry.ts';
import { leastThat } from './search.ts';

/** The most keys of a segment. */
export type KeysLimit = (segmentBits: number, k: number) => number;

/** The chance that a build fails, because a segment gets more keys than it can hold, is at most this. */
const OVERFULL_CHANCE = 1e-6;

/** Whether the segments of a filter hold n keys. The sizes of large segments include a margin. */
export function fits(limit: KeysLimit, items: number, { segments, segmentBits }: Geometry, k: number): boolean {
  const most = limit(segmentBits, k);
  const mean = items / segments;
  return segmentBits > SEGMENT_BITS_LIMIT / 2 ? mean <= most : surelyFits(mean, segments, most);
}

/**
 * Whether all segments get at most `most` keys, except with the chance above. The number X of keys in one of S segments is
 * binomial with the mean n/S, and
 *   P(X >= x) <= e^(x - n/S) (n/S / x)^x
 * for x above the mean (Chernoff; Mitzenmacher & Upfal 2005, "Probability and computing", theorem 4.4).
 */
function surelyFits(mean: number, segments: number, most: number): boolean {
  if (segments === 1) return mean <= most;
  const beyond = most + 1;
  const logChance = Math.log(segments) + beyond - mean - beyond * Math.log(beyond / mean);
  return mean < beyond && logChance <= Math.log(OVERFULL_CHANCE);
}

/** The segments of this many bits, each of at most `most` bits, for k bits per key. */
export function staticGeometry(limit: KeysLimit, bits: number, k: number, most = SEGMENT_BITS_LIMIT): Geometry {
  return segmented(bits, LINE_BITS, most === SEGMENT_BITS_LIMIT ? most : usedBits(limit, most, k));
}

/** Bits of the fewest equal segments of at most `most` bits that hold n keys. */
export function bitsInSmallSegments(limit: KeysLimit, items: number, most: number, k: number): number {
  const used = usedBits(limit, most, k);
  const holds = (segments: number, segmentBits: number) =>
    surelyFits(items / segments, segments, limit(segmentBits, k));
  const segments = leastThat((count) => holds(count, used));
  // With fewer lines, the bits would fit into fewer segments.
  const fewer = Math.floor(((segments - 1) * used) / (segments * LINE_BITS));
  const lines = leastThat((count) => count > fewer && holds(segments, count * LINE_BITS));
  return segments * lines * LINE_BITS;
}

/** The fewest bits of a segment that hold as many keys as `most` bits. */
function usedBits(limit: KeysLimit, most: number, k: number): number {
  const keys = limit(most, k);
  return LINE_BITS * leastThat((lines) => lines * LINE_BITS >= most || limit(lines * LINE_BITS, k) >= keys);
}
