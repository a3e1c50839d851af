import { expect, test } from 'vitest';
import { distinctKeys } from '../../src/sizing/static.ts';

/** The expected number of pairs of keys that are equal in `bits` bits: n (n - 1) / 2 divided by 2^bits. */
const equalPairs = (keys: number, bits: number) => (keys * (keys - 1)) / 2 / 2 ** bits;

test.each([
  [7, 2 ** 19, 40],
  [8, 2 ** 19, 40],
  [9, 2 ** 23, 48],
])('with %d bits per key a few of %d keys have equal kept bytes, and are counted', (k, keys, bits) => {
  const pairs = equalPairs(keys, bits);
  expect(pairs).toBeGreaterThan(0.1);
  const { count, error } = distinctKeys([keys, keys], k);
  expect(count - 2 * keys).toBeCloseTo(2 * pairs, 3);
  expect(error).toBeCloseTo(Math.sqrt(2 * pairs), 3);
});

test.each([
  [7, 50_000],
  [9, 2 ** 20],
  [32, 2 ** 22],
])('with %d bits per key none of %d keys do', (k, keys) => {
  expect(distinctKeys([keys], k)).toEqual({ count: keys, error: 0 });
});
