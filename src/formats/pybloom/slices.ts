// What `tofile` of pybloom's BloomFilter writes, little-endian: f64 p, u64 k, u64 bits of a slice, u64 n, u64 keys; the bits of k
// slices, one behind the other.

import type { FlatShape } from '../../filters/position-rules.ts';
import { requireProbes } from '../flat-file.ts';

export const HEADER_BYTES = 40;

/** No file has so many bits in a slice. */
const SLICE_LIMIT = 2n ** 40n;

/** A filter but for its bits: of k slices, each of which has one position of a key. */
export interface PybloomSlices {
  readonly fpr: number;
  readonly k: number;
  readonly sliceBits: number;
  readonly capacity: bigint;
  readonly inserted: bigint;
}

/** What logarithms are apart that should be equal: Python has ln x / ln 2 of powers of 2 a little too large. */
const ROUNDING = 1e-9;

/** Whether the numbers of a head agree: k is ceil(log2(1 / p)). */
export function isHeader(head: DataView): boolean {
  const fpr = head.getFloat64(0, true);
  const [k, sliceBits] = [head.getBigUint64(8, true), head.getBigUint64(16, true)];
  const more = Number(k) - Math.log2(1 / fpr);
  const isRate = fpr > 0 && fpr < 1 && more > -ROUNDING && more < 1 + ROUNDING;
  return isRate && k > 0n && sliceBits > 0n && sliceBits < SLICE_LIMIT;
}

/** What a head says. Throws a `format` error for what no filter has. */
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

/** The array of a filter whose positions begin at a word of digests of so many words. */
export function shapeOf(slices: PybloomSlices, words: number, first: number): FlatShape {
  return { bits: bitsOf(slices), k: slices.k, rule: 'hashed', order: 'bytes', digest: { words, first } };
}
