// Bits of a payload, counted from the lowest of the first byte on.

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

/** One segment less than these would have too many bits. */
export function fewestSegments({ segments, segmentBits }: Rules): number {
  return Math.ceil((segments * segmentBits) / SEGMENT_BITS);
}

/** Whether a filter has no more segments than it must, or was asked to have more that are not too small. */
export function areFewOrFine(rules: Rules): boolean {
  return areFew(rules) || (rules.segmentBits > 2 ** 14 && rules.segmentBits <= 2 ** 22);
}

export function areFew(rules: Rules): boolean {
  return rules.segments === fewestSegments(rules);
}

/** The rate where a key is one of so many values of its segment, and a non-member each of them equally often. */
export function rateOfValues(items: number, { segments }: Rules, values: number): number {
  return -Math.expm1((items / segments) * Math.log1p(-1 / values));
}
