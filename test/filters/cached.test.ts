// Filters with a cache that is queried first: their rate and their keys follow from the ones of the segments and of the cache.

import { expect, test } from 'vitest';
import { bloomStructure } from '../../src/filters/bloom.ts';
import { cachedBy } from '../../src/filters/cached.ts';

const K = 3;
const SEGMENT_BITS = 512;
/** Three segments, and a cache of two sections. */
const SHAPE = { segments: 3, segmentBits: SEGMENT_BITS, bits: 5 * SEGMENT_BITS, k: K };
const FILL = [100, 200, 50, 300, 120].map((ones) => ({ ones }));
const cached = cachedBy(bloomStructure);

test('a non-member passes the cache, and then a segment', () => {
  const cache = (300 + 120) / (2 * SEGMENT_BITS);
  const segments = [100, 200, 50].reduce((sum, ones) => sum + (ones / SEGMENT_BITS) ** K, 0) / 3;
  expect(cached.rateFromFill(FILL, SHAPE) / (cache * segments)).toBeCloseTo(1, 9);
});

test('the keys are those of the segments', () => {
  const keys = [100, 200, 50].reduce((sum, ones) => sum - (SEGMENT_BITS / K) * Math.log(1 - ones / SEGMENT_BITS), 0);
  expect(cached.itemsFromFill(FILL, SHAPE).count).toBeCloseTo(keys, 9);
});

test('each member sets a bit of the cache', () => {
  const ofSegments = bloomStructure.predictedRate(300, { ...SHAPE, bits: 3 * SEGMENT_BITS });
  const cache = 1 - (1 - 1 / (2 * SEGMENT_BITS)) ** 300;
  expect(cached.predictedRate(300, SHAPE) / (ofSegments * cache)).toBeCloseTo(1, 9);
});
