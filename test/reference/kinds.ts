// The oracle of each kind of filter, after FORMAT.md, by the id of the kind in files.

import { blockedBitsOfKey, blockedFill } from './blocked-bits.ts';
import { type BitRules, bitsOfKey } from './bloom-bits.ts';
import { cuckoo } from './cuckoo.ts';
import { formerFuse, fuse } from './fuse.ts';
import { areFewOrFine, partsOf, within } from './places.ts';
import { quotient } from './quotient.ts';
import { ribbon } from './ribbon.ts';

/** The fields that fix the layout of a segment. */
export type Rules = Pick<BitRules, 'segments' | 'segmentBits' | 'k' | 'chain'>;

export interface Oracle {
  /** A payload of a filter with these keys. */
  payloadOf(keys: Iterable<Uint8Array>, rules: BitRules): Uint8Array;
  mayContain(payload: Uint8Array, key: Uint8Array, rules: BitRules): boolean;
  /** The fill of a segment, as in the table. */
  fillOf(segment: Uint8Array, rules: Rules): bigint;
  /** The content of a payload, for kinds that can lay out the same keys in more than one way. */
  contentOf?(payload: Uint8Array, rules: Rules): unknown;
  /** Returns whether a header may have this k and these segments. The rules of all kinds were tested before. */
  isLegal(rules: Rules): boolean;
  /** The most bits per key in a file at a rate of 1 %: the figure of the literature, rounded up. */
  readonly bitsPerKey: number;
  /** The false-positive rate of a filter, from its bits or its number of keys. A scalable filter has the rate of its slices. */
  impliedRate?(payload: Uint8Array, rules: Rules, items: number): number;
  /** For a kind that supports removal: the payload after it; `kept` is the payload of the remaining keys. */
  afterRemoval?(payload: Uint8Array, kept: Uint8Array): Uint8Array;
}

/** The number of ones in some bytes. */
export function onesIn(bytes: Uint8Array): bigint {
  let ones = 0;
  for (const byte of bytes) for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
  return BigInt(ones);
}

/** The oracle of a kind that only sets bits. */
function bitwise(
  bitsOf: (key: Uint8Array, rules: BitRules) => readonly number[],
): Pick<Oracle, 'payloadOf' | 'mayContain' | 'fillOf'> {
  return {
    payloadOf(keys, rules) {
      const payload = new Uint8Array((rules.segments * rules.segmentBits) / 8);
      for (const key of keys) {
        for (const bit of bitsOf(key, rules)) {
          const byte = Math.floor(bit / 8);
          payload[byte] = (payload[byte] ?? 0) | (1 << (bit % 8));
        }
      }
      return payload;
    },
    mayContain: (payload, key, rules) =>
      bitsOf(key, rules).every((bit) => (((payload[Math.floor(bit / 8)] ?? 0) >> (bit % 8)) & 1) === 1),
    fillOf: onesIn,
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A non-member is equally likely in each segment, and probes k positions anywhere in it. */
function rateOfPlaces(shares: readonly number[], k: number): number {
  return mean(shares.map((share) => share ** k));
}

const bloom: Oracle = {
  ...bitwise(bitsOfKey),
  isLegal: (rules) => within(rules.k, 1, 64) && areFewOrFine(rules),
  bitsPerKey: 9.8,
  impliedRate: (payload, rules) =>
    rateOfPlaces(
      partsOf(payload, rules).map((segment) => Number(onesIn(segment)) / rules.segmentBits),
      rules.k,
    ),
};

const blocked: Oracle = {
  ...bitwise(blockedBitsOfKey),
  fillOf: blockedFill,
  isLegal: (rules) => rules.k === 8 && areFewOrFine(rules),
  bitsPerKey: 11,
  // A non-member is equally likely in each block, and probes one bit in each word.
  impliedRate: (payload) =>
    mean(
      partsOf(payload, { segmentBits: 256 }).map((block) =>
        partsOf(block, { segmentBits: 32 }).reduce((rate, word) => (rate * Number(onesIn(word))) / 32, 1),
      ),
    ),
};

const COUNTER_BITS = 4;
const FULL = 15;

/** The counters of a payload, in their order. */
export function countersIn(payload: Uint8Array): Uint8Array {
  return new Uint8Array(2 * payload.length).map((_, i) => ((payload[i >> 1] ?? 0) >> (4 * (i & 1))) & 15);
}

/** The counters of a key: the positions in a Bloom filter with as many bits as there are counters. */
function countersOfKey(key: Uint8Array, rules: BitRules): number[] {
  return bitsOfKey(key, { ...rules, segmentBits: rules.segmentBits / COUNTER_BITS });
}

const counting: Oracle = {
  payloadOf(keys, rules) {
    const counters = new Uint8Array((rules.segments * rules.segmentBits) / COUNTER_BITS);
    for (const key of keys) {
      for (const counter of countersOfKey(key, rules)) counters[counter] = Math.min(FULL, (counters[counter] ?? 0) + 1);
    }
    return Uint8Array.from(
      { length: counters.length / 2 },
      (_, i) => (counters[2 * i] ?? 0) + 16 * (counters[2 * i + 1] ?? 0),
    );
  },
  mayContain(payload, key, rules) {
    return countersOfKey(key, rules).every((counter) => {
      const byte = payload[Math.floor(counter / 2)] ?? 0;
      return (counter % 2 === 0 ? byte % 16 : Math.floor(byte / 16)) > 0;
    });
  },
  fillOf(segment) {
    const counters = countersIn(segment);
    const used = counters.filter((counter) => counter > 0).length;
    const full = counters.filter((counter) => counter === FULL).length;
    return BigInt(used) + (BigInt(full) << 32n);
  },
  isLegal: (rules) => within(rules.k, 1, 64) && areFewOrFine(rules),
  bitsPerKey: 40,
  impliedRate: (payload, rules) =>
    rateOfPlaces(
      partsOf(payload, rules).map((segment) => {
        const counters = countersIn(segment);
        return counters.filter((counter) => counter > 0).length / counters.length;
      }),
      rules.k,
    ),
  // A saturated counter has lost its count, so removal does not change it.
  afterRemoval(payload, kept) {
    const before = countersIn(payload);
    const counters = countersIn(kept).map((counter, i) => (before[i] === FULL ? FULL : counter));
    return Uint8Array.from({ length: kept.length }, (_, i) => (counters[2 * i] ?? 0) + 16 * (counters[2 * i + 1] ?? 0));
  },
};

/** Consecutive slices, each a Bloom filter. A key is in one of them; which one depends on the order of the keys. */
const scalable: Oracle = {
  payloadOf() {
    throw new Error('nobody knows which slice has a key');
  },
  mayContain(payload, key, rules) {
    let first = 0;
    return (rules.chain?.slices ?? []).some((slice) => {
      const part = payload.subarray((first * rules.segmentBits) / 8);
      first += slice.segments;
      return oracleOf(1).mayContain(part, key, { ...rules, ...slice });
    });
  },
  fillOf: onesIn,
  isLegal: ({ k, segmentBits }) => within(k, 1, 64) && within(segmentBits, 2 ** 14, 2 ** 22),
  bitsPerKey: 22,
};

export const ORACLES: ReadonlyMap<number, Oracle> = new Map([
  [1, bloom],
  [2, blocked],
  [3, counting],
  [4, cuckoo],
  [5, quotient],
  [6, ribbon],
  [7, scalable],
  [9, formerFuse],
  [10, fuse],
]);

export function oracleOf(kind: number): Oracle {
  const oracle = ORACLES.get(kind);
  if (oracle === undefined) throw new Error(`FORMAT.md knows no kind ${kind}`);
  return oracle;
}

/** The content of a payload, in a form that does not depend on its layout. */
export function contentOf(kind: number, payload: Uint8Array, rules: Rules): unknown {
  return oracleOf(kind).contentOf?.(payload, rules) ?? Buffer.from(payload).toString('base64');
}
