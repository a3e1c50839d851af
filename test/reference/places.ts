// Bits of a payload, numbered from the lowest bit of the first byte.

import type { Rules } from './kinds.ts';

/** The segments of a payload. */
export function partsOf(payload: Uint8Array, { segmentBits }: Pick<Rules, 'segmentBits'>): Uint8Array[] {
  const bytes = segmentBits / 8;
  return Array.from({ length: payload.length / bytes }, (_, i) => payload.subarray(i * bytes, (i + 1) * bytes));
}

export function bitAt(bytes: Uint8Array, bit: number): boolean {
  return (((bytes[Math.floor(bit / 8)] ?? 0) >> (bit % 8)) & 1) === 1;
}

export function setBit(bytes: Uint8Array, bit: number, isSet = true): void {
  const byte = Math.floor(bit / 8);
  const one = 1 << (bit % 8);
  bytes[byte] = isSet ? (bytes[byte] ?? 0) | one : (bytes[byte] ?? 0) & ~one;
}

const SEGMENT_BITS = 2 ** 22;

export const within = (value: number, least: number, most: number) => value >= least && value <= most;

/** With fewer segments, a segment would have too many bits. */
export function fewestSegments({ segments, segmentBits }: Rules): number {
  return Math.ceil((segments * segmentBits) / SEGMENT_BITS);
}

/** Returns whether a filter has the fewest segments, or more segments that are not too small. */
export function areFewOrFine(rules: Rules): boolean {
  return areFew(rules) || (rules.segmentBits > 2 ** 14 && rules.segmentBits <= 2 ** 22);
}

export function areFew(rules: Rules): boolean {
  return rules.segments === fewestSegments(rules);
}

/** The false-positive rate if a key has one of `values` equally likely values in its segment. */
export function rateOfValues(items: number, { segments }: Rules, values: number): number {
  return -Math.expm1((items / segments) * Math.log1p(-1 / values));
}
