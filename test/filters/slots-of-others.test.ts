// The stated rate of RedisBloom's cuckoo filters is the rate of filters with random keys, also of very small ones.

import { expect, test } from 'vitest';
import { cuckooChain } from '../../src/filters/slots-of-others.ts';
import { inLongRuns } from '../long.ts';
import { cuckooLookup } from '../reference/formats/redisbloom-cuckoo.ts';
import { createRandom } from '../reference/random.ts';

const VALUES = 255;
const FILTERS = inLongRuns(500, 20);
/** 99.9 % of all means are within this many standard errors. */
const Z999 = 3.29;

/** The buckets and the fingerprint of a key. */
function placeOf(hash: bigint, buckets: number) {
  const { fingerprint, hashes } = cuckooLookup(hash);
  const [first = 0, second = 0] = hashes.map((of) => Number(of % BigInt(buckets)));
  return { fingerprint, places: [first, second] };
}

/** The share of all pairs of a fingerprint and a first bucket that are maybe present in a filter with random keys. */
function rateOf(random: () => bigint, buckets: number, keys: number): number {
  const held = Array.from({ length: buckets }, () => new Set<number>());
  for (let i = 0; i < keys; i++) {
    const { fingerprint, places } = placeOf(random(), buckets);
    held[places[Number(random() & 1n)] ?? 0]?.add(fingerprint);
  }
  let found = 0;
  // These numbers have each fingerprint with each bucket, because 255 is odd.
  for (let hash = 0; hash < VALUES * buckets; hash++) {
    const { fingerprint, places } = placeOf(BigInt(hash), buckets);
    if (places.some((place) => held[place]?.has(fingerprint))) found++;
  }
  return found / (VALUES * buckets);
}

test.each([
  [1, 1, 1],
  [1, 100, 60],
  [2, 50, 80],
  [4, 255, 900],
  [16, 64, 700],
  [64, 2, 110],
])('%d buckets of %d slots with %d keys', (buckets, bucketSlots, keys) => {
  const draw = createRandom(buckets + keys);
  const random = () => (BigInt(draw()) << 32n) | BigInt(draw());
  const rates = Array.from({ length: FILTERS }, () => rateOf(random, buckets, keys));
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / FILTERS;
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / (FILTERS - 1);
  const bits = 8 * buckets * bucketSlots;
  const shape = { bits, segments: 1, segmentBits: bits, k: 8, links: [{ bits, k: bucketSlots }] };
  const predicted = cuckooChain.rateFromFill([{ used: keys, repeated: 0 }], shape);
  expect(Math.abs(mean - predicted)).toBeLessThanOrEqual(Z999 * Math.sqrt(variance / FILTERS) + 1e-12);
});
