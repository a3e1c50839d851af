// What FORMAT.md says of all filters that are made of all their keys at once: fractions, which are mixed.

import { type DigestRules, digestOf } from './digests.ts';
import type { Oracle, Rules } from './kinds.ts';
import { partsOf } from './places.ts';
import { wrap } from './xxh64.ts';

export function mix(value: bigint): bigint {
  let x = wrap((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn);
  x = wrap((x ^ (x >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return x ^ (x >> 33n);
}

/** A fraction that is mixed so often. */
export function mixed(fraction: bigint, mixes: number): bigint {
  let f = fraction;
  for (let i = 0; i < mixes; i++) f = mix(f);
  return f;
}

/** Segment of a key, and its fraction there. */
export function locate(key: Uint8Array, rules: Rules & DigestRules): { segment: number; fraction: bigint } {
  const digest = digestOf(key, rules);
  const segments = BigInt(rules.segments);
  return { segment: Number(((digest >> 32n) * segments) >> 32n), fraction: BigInt.asUintN(64, digest * segments) };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset);
}

const keysOf = (segment: Uint8Array) => viewOf(segment).getUint32(0, true);
export const mixesOf = (segment: Uint8Array) => viewOf(segment).getUint32(4, true);

/** What comes of the fewest mixes with which something does; writes the head of the segment. */
export function firstAfterMixes<T>(
  segment: Uint8Array,
  fractions: ReadonlySet<bigint>,
  attempt: (mixes: number) => T | undefined,
): T {
  for (let mixes = 0; ; mixes++) {
    const result = attempt(mixes);
    if (result === undefined) continue;
    viewOf(segment).setUint32(0, fractions.size, true);
    viewOf(segment).setUint32(4, mixes, true);
    return result;
  }
}

/** What such kinds share, of which one makes a segment of fractions in a way of its own. */
export function staticOracle(
  make: (segment: Uint8Array, fractions: ReadonlySet<bigint>, rules: Rules) => void,
): Required<Pick<Oracle, 'payloadOf' | 'fillOf' | 'impliedRate' | 'contentOf'>> {
  return {
    payloadOf(keys, rules) {
      const payload = new Uint8Array((rules.segments * rules.segmentBits) / 8);
      const sets = Array.from({ length: rules.segments }, () => new Set<bigint>());
      for (const key of keys) {
        const { segment, fraction } = locate(key, rules);
        sets[segment]?.add(fraction);
      }
      partsOf(payload, rules).forEach((segment, i) => {
        make(segment, sets[i] ?? new Set(), rules);
      });
      return payload;
    },
    fillOf: (segment) => BigInt(keysOf(segment)),
    impliedRate: (_, { k }) => 2 ** -k,
    // There are many segments that have the same keys.
    contentOf: (payload, rules) => partsOf(payload, rules).map(keysOf),
  };
}
