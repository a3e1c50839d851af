// The fractions and trials of kinds that are made of all keys at once, after FORMAT.md.

import { type DigestRules, digestOf } from './digests.ts';
import type { Oracle, Rules } from './kinds.ts';
import { partsOf } from './places.ts';
import { wrap } from './xxh64.ts';

export function mix(value: bigint): bigint {
  let x = wrap((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn);
  x = wrap((x ^ (x >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return x ^ (x >> 33n);
}

/** The head of a segment, without its number of keys. */
export interface Trial {
  /** The number of failed trials before the one that succeeded. */
  readonly trials: number;
  /** The number of lowest bytes of a fraction that are set to 0. */
  readonly dropped: number;
}

/** The number of such bytes for k bits per key. */
function droppedFor(k: number): number {
  return 8 - Math.min(8, Math.ceil((k + 32) / 8));
}

/** A fraction with its `dropped` lowest bytes set to 0. */
export function kept(fraction: bigint, { dropped }: Trial): bigint {
  return fraction - (fraction % (1n << BigInt(8 * dropped)));
}

/** The segment of a key, and its fraction there. */
export function locate(key: Uint8Array, rules: Rules & DigestRules): { segment: number; fraction: bigint } {
  const digest = digestOf(key, rules);
  const segments = BigInt(rules.segments);
  return { segment: Number(((digest >> 32n) * segments) >> 32n), fraction: BigInt.asUintN(64, digest * segments) };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset);
}

const keysOf = (segment: Uint8Array) => viewOf(segment).getUint32(0, true);
export const trialOf = ([, , , , trials = 0, dropped = 0]: Uint8Array): Trial => ({ trials, dropped });

/** Returns the result of the first trial that succeeds, and writes the head of the segment. */
export function firstThatSucceeds<T>(
  segment: Uint8Array,
  fractions: ReadonlySet<bigint>,
  { k }: Rules,
  attempt: (trial: Trial) => T | undefined,
): T {
  const dropped = droppedFor(k);
  for (let trials = 0; ; trials++) {
    const result = attempt({ trials, dropped });
    if (result === undefined) continue;
    viewOf(segment).setUint32(0, fractions.size, true);
    segment.set([trials, dropped], 4);
    return result;
  }
}

/** The oracle that these kinds share; `make` writes a segment from its fractions. */
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
    // Many different segments have the same keys.
    contentOf: (payload, rules) => partsOf(payload, rules).map(keysOf),
  };
}
