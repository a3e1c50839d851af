// The kinds whose keys select bits, counters or blocks: how a segment answers, after FORMAT.md.

import { bucketsOf } from '../sizing/cuckoo.ts';
import { factor, multiply, productHigh, productLow, scale } from './halves.ts';
import type { Digest, WebShape } from './shape.ts';

const STEP = factor(0xd1342543de82ef95n);

/** Whether all probes of a digest are positions that `isSet` accepts. */
function everyProbe({ low, high }: Digest, k: number, positions: number, isSet: (at: number) => boolean): boolean {
  multiply(high, low, STEP);
  let [upper, lower] = [productHigh, productLow];
  for (let i = 0; i < k; i++) {
    if (!isSet(scale(i % 2 === 0 ? upper : lower, positions))) return false;
    if (i % 2 === 0) continue;
    multiply(upper, lower ^ upper, STEP);
    [upper, lower] = [productHigh, productLow];
  }
  return true;
}

export function inBloom(segment: Uint8Array, digest: Digest, k: number): boolean {
  return everyProbe(digest, k, 8 * segment.length, (at) => (((segment[at >> 3] ?? 0) >> (at & 7)) & 1) === 1);
}

export function inCounting(segment: Uint8Array, digest: Digest, k: number): boolean {
  return everyProbe(digest, k, 2 * segment.length, (at) => (((segment[at >> 1] ?? 0) >> (4 * (at & 1))) & 15) > 0);
}

const SALTS = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31] as const;
const BLOCK_BYTES = 32;

export function inBlocked(
  segment: Uint8Array,
  { low, high }: Digest,
  _: number,
  { segments }: WebShape,
  index: number,
): boolean {
  const blocks = segment.length / BLOCK_BYTES;
  const block = scale(high, segments * blocks) - index * blocks;
  return SALTS.every((salt, word) => {
    const bit = Math.imul(low, salt) >>> 27;
    return (((segment[BLOCK_BYTES * block + 4 * word + (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1;
  });
}

/** The number in `count` bits, at most 32, from a bit on. */
export function bitsAt(bytes: Uint8Array, bit: number, count: number): number {
  const first = Math.floor(bit / 8);
  let value = 0;
  for (let i = 4; i >= 0; i--) value = 256 * value + (bytes[first + i] ?? 0);
  return Math.floor(value / 2 ** (bit % 8)) % 2 ** count;
}

const SLOTS = 4;
const FINGERPRINT_FACTOR = 0x9e3779b1;

export function inCuckoo(segment: Uint8Array, { low, high }: Digest, k: number): boolean {
  const buckets = bucketsOf(8 * segment.length, k);
  multiply(high, low, STEP);
  const fingerprint = 1 + scale(productLow, 2 ** k - 1);
  const first = scale(productHigh, buckets);
  const second = (scale(Math.imul(fingerprint, FINGERPRINT_FACTOR), buckets) - first + buckets) % buckets;
  const isIn = (bucket: number) =>
    [0, 1, 2, 3].some((slot) => bitsAt(segment, (SLOTS * bucket + slot) * k, k) === fingerprint);
  return isIn(first) || isIn(second);
}
