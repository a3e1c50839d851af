// XXH64, after the specification "xxHash fast digest algorithm" by Yann Collet, version 0.1.1. It verifies pages of up
// to 512 KiB, so the loop over them works on halves.

import { factor, multiply, productHigh, productLow } from '../halves.ts';
import { rotate, viewOf, wordAt, wrap } from '../words.ts';

export const P1 = 0x9e3779b185ebca87n;
export const P2 = 0xc2b2ae3d27d4eb4fn;
export const P3 = 0x165667b19e3779f9n;
export const P4 = 0x85ebca77c2b2ae63n;
export const P5 = 0x27d4eb2f165667c5n;

const FIRST = factor(P1);
const SECOND = factor(P2);

const STRIPE = 32;
const ROTATIONS = [1n, 7n, 12n, 18n];

/** One of the four accumulators after all stripes: it takes every fourth word. */
function lane(view: DataView, from: number, end: number, start: bigint): bigint {
  let low = Number(start & 0xffffffffn) | 0;
  let high = Number(start >> 32n) | 0;
  for (let at = from; at < end; at += STRIPE) {
    multiply(view.getUint32(at + 4, true), view.getUint32(at, true), SECOND);
    const sum = (low >>> 0) + (productLow >>> 0);
    const carried = (high + productHigh + (sum > 0xffffffff ? 1 : 0)) | 0;
    low = sum | 0;
    // Rotated to the left by 31.
    multiply((carried << 31) | (low >>> 1), (low << 31) | (carried >>> 1), FIRST);
    [high, low] = [productHigh, productLow];
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

function round(accumulator: bigint, word: bigint): bigint {
  return wrap(rotate(wrap(accumulator + word * P2), 31n) * P1);
}

/** Makes each bit depend on all bits. */
export function avalanche(value: bigint): bigint {
  const first = wrap((value ^ (value >> 33n)) * P2);
  const second = wrap((first ^ (first >> 29n)) * P3);
  return second ^ (second >> 32n);
}

export function xxh64(bytes: Uint8Array, seed: bigint): bigint {
  const view = viewOf(bytes);
  const { length } = bytes;
  let at = length - (length % STRIPE);
  let hash = seed + P5;
  if (at > 0) {
    const end = at;
    const lanes = [seed + P1 + P2, seed + P2, seed, seed - P1].map((start, i) => lane(view, 8 * i, end, wrap(start)));
    hash = lanes.reduce((sum, value, i) => sum + rotate(value, ROTATIONS[i] ?? 0n), 0n);
    for (const value of lanes) hash = (wrap(hash) ^ round(0n, value)) * P1 + P4;
  }
  hash = wrap(hash + BigInt(length));
  for (; at + 8 <= length; at += 8) hash = wrap(rotate(hash ^ round(0n, wordAt(view, at)), 27n) * P1 + P4);
  if (at + 4 <= length) {
    hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < length; at++) hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint8(at)) * P5), 11n) * P1);
  return avalanche(hash);
}
