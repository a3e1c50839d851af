// What a segment's answer depends on besides its bytes.

import { high, wrap } from './words.ts';

/** What a digest has for the kinds. */
export interface Digest {
  /** Its halves. */
  readonly high: number;
  readonly low: number;
  /** What selects no segment: digest × segments mod 2^64. */
  readonly fraction: bigint;
}

export function digestOf(whole: bigint, segments: number): Digest {
  const low = Number(whole & 0xffffffffn);
  return { high: Number(high(whole)), low, fraction: wrap(whole * BigInt(segments)) };
}

/** A slice of a filter that grows, or the whole of another filter. */
export interface WebSlice {
  readonly segments: number;
  readonly k: number;
}

/** The whole filter, whose part the file may be. */
export interface WebShape {
  readonly segments: number;
  readonly segmentBits: number;
  readonly slices: readonly WebSlice[];
  /** Bits of the screen of a segment; 0 without protected keys. */
  readonly screenBits: number;
}

/** Whether a segment may have the key of a digest. `k` is that of its slice, and `index` its number in the filter. */
export type Test = (segment: Uint8Array, digest: Digest, k: number, shape: WebShape, index: number) => boolean;
