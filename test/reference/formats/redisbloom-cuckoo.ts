// Cuckoo filters of RedisBloom, after its cuckoo.c and cf.h: https://github.com/RedisBloom/RedisBloom.

import { decodeCuckooDump } from './redis-dump.ts';
import { murmur64a } from './redisbloom.ts';
import type { ForeignFilter, System } from './system.ts';

const HEADER_BYTES = 38;
const WORD = 2n ** 64n;

interface Cuckoo {
  readonly buckets: number;
  readonly bucketSlots: number;
  readonly expansion: number;
  readonly filters: Uint8Array[];
  items: number;
}

/** `getLookupParams`: the fingerprint, and both hashes. */
export function cuckooLookup(hash: bigint): { fingerprint: number; hashes: readonly [bigint, bigint] } {
  const fingerprint = (hash % 255n) + 1n;
  return { fingerprint: Number(fingerprint), hashes: [hash, hash ^ ((fingerprint * 0x5bd1e995n) % WORD)] };
}

function filterOf(cuckoo: Cuckoo): ForeignFilter {
  const { bucketSlots, expansion, filters } = cuckoo;
  const bucketsOf = (filter: Uint8Array) => {
    const count = BigInt(filter.length / bucketSlots);
    return (hash: bigint) => {
      const at = Number(hash % count) * bucketSlots;
      return filter.subarray(at, at + bucketSlots);
    };
  };
  const taken = (filter: Uint8Array) => filter.filter((slot) => slot !== 0).length;
  const slots = () => filters.reduce((sum, { length }) => sum + length, 0);
  return {
    // `CuckooFilter_InsertFP`, but no fingerprint is moved. If both buckets are full, a new filter follows.
    add(key) {
      const { fingerprint, hashes } = cuckooLookup(murmur64a(key, 0n));
      cuckoo.items++;
      for (;;) {
        for (const filter of filters.toReversed()) {
          for (const hash of hashes) {
            const bucket = bucketsOf(filter)(hash);
            const free = bucket.indexOf(0);
            if (free < 0) continue;
            bucket[free] = fingerprint;
            return;
          }
        }
        filters.push(new Uint8Array(cuckoo.buckets * bucketSlots * expansion ** filters.length));
      }
    },
    has(key) {
      const { fingerprint, hashes } = cuckooLookup(murmur64a(key, 0n));
      return filters.some((filter) => hashes.some((hash) => bucketsOf(filter)(hash).includes(fingerprint)));
    },
    fill: () => filters.reduce((sum, filter) => sum + taken(filter), 0) / slots(),
    // Computed from the pairs of buckets that a fingerprint can have; each key with the fingerprint has one pair.
    rate() {
      const missed = Array.from({ length: 255 }, (_, i) =>
        filters.reduce((all, filter) => {
          const count = BigInt(filter.length / bucketSlots);
          const isAlone = (BigInt(i + 1) * 0x5bd1e995n) % count === 0n;
          return all * (1 - (isAlone ? 1 : 2) / (255 * Number(count))) ** taken(filter);
        }, 1),
      );
      return 1 - missed.reduce((sum, share) => sum + share, 0) / 255;
    },
    encode() {
      const head = new DataView(new ArrayBuffer(HEADER_BYTES));
      for (const [i, value] of [cuckoo.items, cuckoo.buckets, 0, filters.length].entries())
        head.setBigUint64(8 * i, BigInt(value), true);
      for (const [i, value] of [bucketSlots, 20, expansion].entries()) head.setUint16(32 + 2 * i, value, true);
      return new Uint8Array(Buffer.concat([new Uint8Array(head.buffer), ...filters]));
    },
  };
}

const vessel = (buckets: number, bucketSlots: number, expansion: number, keys: number) => () => ({
  filter: filterOf({ buckets, bucketSlots, expansion, filters: [new Uint8Array(buckets * bucketSlots)], items: 0 }),
  keys,
});

const withWord = (at: number, value: bigint) => (file: DataView) => file.setBigUint64(at, value, true);

export const redisCuckoo: System = {
  decode(file) {
    if (file[0] === 7) return filterOf(decodeCuckooDump(file));
    const head = new DataView(file.buffer, file.byteOffset);
    const [items = 0, buckets = 0, , count = 0] = [0, 8, 16, 24].map((at) => Number(head.getBigUint64(at, true)));
    const [bucketSlots, expansion] = [head.getUint16(32, true), head.getUint16(36, true)];
    let at = HEADER_BYTES;
    const filters = Array.from({ length: count }, (_, i) => {
      const length = buckets * bucketSlots * expansion ** i;
      at += length;
      return file.slice(at - length, at);
    });
    return filterOf({ buckets, bucketSlots, expansion, filters, items });
  },
  vessels: {
    'few buckets': vessel(256, 2, 1, 180),
    'that has grown': vessel(1024, 3, 2, 9000),
    'many buckets': vessel(65_536, 4, 1, 60_000),
    'large buckets': vessel(1024, 32, 1, 20_000),
    'one slot': vessel(512, 1, 1, 300),
    'one bucket': vessel(1, 1, 1, 1),
  },
  spoils: {
    'no buckets': withWord(8, 0n),
    '255 buckets': withWord(8, 255n),
    '2^63 buckets': withWord(8, 2n ** 63n),
    'no filters': withWord(24, 0n),
    'a filter more': withWord(24, 2n),
    '2^64 - 1 filters': withWord(24, 2n ** 64n - 1n),
    'more items than slots': withWord(0, 513n),
    'no slots in a bucket': (file) => file.setUint16(32, 0, true),
    'a slot more in a bucket': (file) => file.setUint16(32, 3, true),
  },
  mayHaveMore: false,
};
