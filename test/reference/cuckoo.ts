// A cuckoo filter after FORMAT.md, one slot at a time.

import { type DigestRules, digestOf } from './digests.ts';
import type { Oracle, Rules } from './kinds.ts';
import { areFew, bitAt, partsOf, rateOfValues, setBit, within } from './places.ts';
import { wrap } from './xxh64.ts';

const MULTIPLIER = 0xd1342543de82ef95n;
const GOLDEN = 0x9e3779b1n;
const LOW = 0xffffffffn;
const SLOTS = 4;
const COPIES = 3;

function scale(half: bigint, range: number): number {
  return Number((half * BigInt(range)) >> 32n);
}

function bucketsOf({ segmentBits, k }: Rules): number {
  return Math.floor((segmentBits - 64) / (SLOTS * k));
}

/** The other bucket of a fingerprint. */
function partner(bucket: number, fingerprint: number, buckets: number): number {
  const sum = scale((BigInt(fingerprint) * GOLDEN) & LOW, buckets);
  return (sum - bucket + buckets) % buckets;
}

/** The segment, the fingerprint and both buckets of a key. */
function locate(key: Uint8Array, rules: Rules & DigestRules) {
  const digest = digestOf(key, rules);
  const x = wrap(digest * MULTIPLIER);
  const buckets = bucketsOf(rules);
  const first = scale(x >> 32n, buckets);
  const fingerprint = 1 + scale(x & LOW, 2 ** rules.k - 1);
  return {
    segment: scale(digest >> 32n, rules.segments),
    fingerprint,
    pair: [first, partner(first, fingerprint, buckets)] as const,
  };
}

/** Reads a number of `bits` bits that begins at bit `from`. */
function numberAt(bytes: Uint8Array, from: number, bits: number): number {
  let value = 0;
  for (let i = 0; i < bits; i++) if (bitAt(bytes, from + i)) value += 2 ** i;
  return value;
}

function putNumber(bytes: Uint8Array, from: number, bits: number, value: number): void {
  for (let i = 0; i < bits; i++) setBit(bytes, from + i, Math.floor(value / 2 ** i) % 2 === 1);
}

/** The slots of a segment, one list per bucket. */
function slotsOf(segment: Uint8Array, rules: Rules): number[][] {
  return Array.from({ length: bucketsOf(rules) }, (_, bucket) =>
    Array.from({ length: SLOTS }, (_, slot) => numberAt(segment, (bucket * SLOTS + slot) * rules.k, rules.k)),
  );
}

/** The fingerprint and the lower bucket of every occupied slot of a segment, sorted. */
function entriesOf(segment: Uint8Array, rules: Rules): string[] {
  return slotsOf(segment, rules)
    .flatMap((slots, bucket) =>
      slots
        .filter((fingerprint) => fingerprint > 0)
        .map((fingerprint) => `${fingerprint}@${Math.min(bucket, partner(bucket, fingerprint, bucketsOf(rules)))}`),
    )
    .sort();
}

/** Inserts a fingerprint. A breadth-first search finds the shortest chain of moves to a bucket with a free slot. */
function insert(buckets: number[][], fingerprint: number, pair: readonly [number, number]): void {
  const [a, b] = pair;
  const copies = [...new Set(pair)].flatMap((bucket) => buckets[bucket] ?? []).filter((slot) => slot === fingerprint);
  if (copies.length >= COPIES) return;
  const queue: { bucket: number; way: readonly (readonly [number, number])[] }[] = [a, b].map((bucket) => ({
    bucket,
    way: [],
  }));
  const seen = new Set<number>(pair);
  for (const { bucket, way } of queue) {
    const slots = buckets[bucket] ?? [];
    const free = slots.indexOf(0);
    if (free >= 0) {
      let [into, at] = [bucket, free];
      for (const [from, slot] of [...way].reverse()) {
        (buckets[into] ?? [])[at] = buckets[from]?.[slot] ?? 0;
        [into, at] = [from, slot];
      }
      (buckets[into] ?? [])[at] = fingerprint;
      return;
    }
    slots.forEach((held, slot) => {
      const next = partner(bucket, held, buckets.length);
      if (seen.has(next)) return;
      seen.add(next);
      queue.push({ bucket: next, way: [...way, [bucket, slot]] });
    });
  }
  throw new Error('the reference filter is full');
}

export const cuckoo: Oracle = {
  payloadOf(keys, rules) {
    const payload = new Uint8Array((rules.segments * rules.segmentBits) / 8);
    const segments = partsOf(payload, rules).map((segment) => slotsOf(segment, rules));
    for (const key of keys) {
      const { segment, fingerprint, pair } = locate(key, rules);
      insert(segments[segment] ?? [], fingerprint, pair);
    }
    partsOf(payload, rules).forEach((segment, i) => {
      (segments[i] ?? []).flat().forEach((value, slot) => {
        putNumber(segment, slot * rules.k, rules.k, value);
      });
    });
    return payload;
  },
  mayContain(payload, key, rules) {
    const { segment, fingerprint, pair } = locate(key, rules);
    const bytes = partsOf(payload, rules)[segment] ?? new Uint8Array();
    return pair.some((bucket) =>
      Array.from({ length: SLOTS }, (_, slot) => numberAt(bytes, (bucket * SLOTS + slot) * rules.k, rules.k)).includes(
        fingerprint,
      ),
    );
  },
  fillOf(segment, rules) {
    const entries = entriesOf(segment, rules);
    return BigInt(entries.length) + (BigInt(entries.length - new Set(entries).size) << 32n);
  },
  contentOf: (payload, rules) => partsOf(payload, rules).map((segment) => entriesOf(segment, rules)),
  isLegal: (rules) => within(rules.k, 1, 32) && areFew(rules),
  bitsPerKey: 11.5,
  // The value of a key is its fingerprint and an unordered pair of buckets.
  impliedRate: (_, rules, items) =>
    rateOfValues(items, rules, (bucketsOf(rules) ** 2 / (2 * bucketsOf(rules) - 1)) * (2 ** rules.k - 1)),
  afterRemoval: (_, kept) => kept,
};
