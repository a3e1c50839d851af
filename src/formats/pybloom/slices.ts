// The output of `tofile` of pybloom's BloomFilter, little-endian: f64 p, u64 k, u64 bits per slice, u64 n, u64 keys;
// then the bits of k slices.

import type { BitArrayShape } from '../../filters/position-rules.ts';
import { requireProbes } from '../bit-array-file.ts';

export const HEADER_BYTES = 40;

/** No file has this many bits per slice. */
const SLICE_LIMIT = 2n ** 40n;

/** A filter without its bits: k slices, and each slice has one position per key. */
export interface PybloomSlices {
  readonly fpr: number;
  readonly k: number;
  readonly sliceBits: number;
  readonly capacity: bigint;
  readonly inserted: bigint;
}

/** The error of logarithms that should be equal: Python's ln x / ln 2 is slightly too large for powers of 2. */
const ROUNDING = 1e-9;

/** Whether the numbers of a head fit together: k is ceil(log2(1 / p)). */
export function isHeader(head: DataView): boolean {
  const fpr = head.getFloat64(0, true);
  const [k, sliceBits] = [head.getBigUint64(8, true), head.getBigUint64(16, true)];
  const more = Number(k) - Math.log2(1 / fpr);
  const isRate = fpr > 0 && fpr < 1 && more > -ROUNDING && more < 1 + ROUNDING;
  return isRate && k > 0n && sliceBits > 0n && sliceBits < SLICE_LIMIT;
}

/** The fields of a head. Throws a `format` error if no filter can have them. */
export function slicesOf(head: DataView, name: string): PybloomSlices {
  const [k, sliceBits] = [head.getBigUint64(8, true), head.getBigUint64(16, true)];
  requireProbes(name, sliceBits, k);
  return {
    fpr: head.getFloat64(0, true),
    k: Number(k),
    sliceBits: Number(sliceBits),
    capacity: head.getBigUint64(24, true),
    inserted: head.getBigUint64(32, true),
  };
}

export function bitsOf({ k, sliceBits }: PybloomSlices): number {
  return k * sliceBits;
}

export function bytesOf(slices: PybloomSlices): number {
  return Math.ceil(bitsOf(slices) / 8);
}

/** The array of a filter whose positions begin at a word of a digest. A digest has `words` words. */
export function shapeOf(slices: PybloomSlices, words: number, first: number): BitArrayShape {
  return { bits: bitsOf(slices), k: slices.k, rule: 'hashed', order: 'bytes', digest: { words, first } };
}
