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
