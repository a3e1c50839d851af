// From a key to its bits, after FORMAT.md and nothing else.

import { type DigestRules, digestOf } from './digests.ts';
import { wrap } from './xxh64.ts';

/** The slices of a scalable filter. */
export interface ChainRules {
  readonly fpr: number;
  readonly growth: number;
  readonly tightening: number;
  readonly slices: readonly { readonly segments: number; readonly k: number }[];
}

/** The fields of a header that fix the positions of a key. */
export interface BitRules extends DigestRules {
  readonly segments: number;
  readonly segmentBits: number;
  readonly k: number;
  /** Only for a scalable filter. */
  readonly chain?: ChainRules | undefined;
}

const MULTIPLIER = 0xd1342543de82ef95n;

function scale(half: bigint, range: number): number {
  return Number((half * BigInt(range)) >> 32n);
}

/** The segment of a digest, and its positions in that segment. */
export function probesOfDigest(
  digest: bigint,
  { segments, segmentBits, k }: Pick<BitRules, 'segments' | 'segmentBits' | 'k'>,
): { segment: number; positions: number[] } {
  const positions: number[] = [];
  for (let x = wrap(digest * MULTIPLIER); positions.length < k; x = wrap((x ^ (x >> 32n)) * MULTIPLIER)) {
    positions.push(scale(x >> 32n, segmentBits));
    if (positions.length < k) positions.push(scale(x & 0xffffffffn, segmentBits));
  }
  return { segment: scale(digest >> 32n, segments), positions };
}

/** The positions of a key in the whole payload. */
export function bitsOfKey(key: Uint8Array, rules: BitRules): number[] {
  const { segment, positions } = probesOfDigest(digestOf(key, rules), rules);
  return positions.map((position) => segment * rules.segmentBits + position);
}

/** The payload of a filter with these keys. */
export function payloadOf(keys: Iterable<Uint8Array>, rules: BitRules): Uint8Array {
  const payload = new Uint8Array((rules.segments * rules.segmentBits) / 8);
  for (const key of keys) {
    for (const bit of bitsOfKey(key, rules)) {
      const byte = Math.floor(bit / 8);
      payload[byte] = (payload[byte] ?? 0) | (1 << (bit % 8));
    }
  }
  return payload;
}

/** Returns whether every bit at these positions is 1. */
export function hasAll(payload: Uint8Array, bits: readonly number[]): boolean {
  return bits.every((bit) => (((payload[Math.floor(bit / 8)] ?? 0) >> (bit % 8)) & 1) === 1);
}
