// The expected numbers were computed with 60 decimal digits outside this program.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asymptoticRate, bestK, bitsFor, bitsForK, capacityFor, kFor } from '../../src/sizing/bloom.ts';

const rateOf = (items: number, bits: number, k: number) => (1 - Math.exp((-k * items) / bits)) ** k;

test.each([
  [1, 0.01, 10],
  [10, 0.5, 15],
  [1000, 0.01, 9586],
  [437_593, 0.01, 4_194_355],
  [1e6, 0.01, 9_585_059],
  [1e6, 0.001, 14_377_588],
  [1e6, 1e-15, 71_887_938],
  [1e7, 0.01, 95_850_584],
  [1e9, 1e-5, 23_962_645_944],
])('%d keys at a rate of %d need %d bits', (items, fpr, bits) => {
  expect(bitsFor(items, fpr)).toBe(bits);
});

test.each([
  [1e7, 0.01, 7, 95_929_548],
  [1e7, 0.01, 3, 123_641_668],
  [1e6, 0.001, 1, 999_499_917],
  [1000, 0.05, 20, 10_140],
  [1e6, 0.01, 64, 23_992_812],
])('%d keys at a rate of %d with k = %d need %d bits', (items, fpr, k, bits) => {
  expect(bitsForK(items, fpr, k)).toBe(bits);
});

test.each([
  [0.5, 1],
  [0.1, 3],
  [0.01, 7],
  [0.001, 10],
  [1e-4, 13],
  [1e-5, 17],
  [1e-15, 50],
  [0.99, 1],
  [1e-30, 64],
])('a rate of %d takes k = %d', (fpr, k) => {
  expect(kFor(fpr)).toBe(k);
});

describe('the capacity', () => {
  test.each([
    [96e6, 0.01, 10_015_588],
    [95_850_584, 0.01, 10_000_000],
    [95_850_583, 0.01, 9_999_999],
    [2 ** 33, 0.001, 597_453_122],
    [10, 0.01, 1],
    [9, 0.01, 0],
    [1e12, 1e-9, 23_184_232_528],
  ])('of %d bits at a rate of %d is %d keys', (bits, fpr, items) => {
    expect(capacityFor(bits, fpr)).toBe(items);
  });

  test.each([
    [95_929_548, 0.01, 7, 10_000_000],
    [95_929_547, 0.01, 7, 9_999_999],
    [10_140, 0.05, 20, 1000],
  ])('of %d bits at a rate of %d with k = %d is %d keys', (bits, fpr, k, items) => {
    expect(capacityFor(bits, fpr, k)).toBe(items);
  });
});

test('the bits for a number of keys hold them, although both directions round', () => {
  for (let bitsPerKey = 1; bitsPerKey <= 40; bitsPerKey++) {
    // At these rates the division leaves no remainder, and the last digit decides.
    const fpr = Math.exp(-bitsPerKey * Math.LN2 ** 2);
    for (let items = 1; items <= 200; items++) {
      expect(capacityFor(bitsFor(items, fpr), fpr), `${items} keys`).toBeGreaterThanOrEqual(items);
    }
  }
});

test('the best k is the one from 1 to 64 with the lowest rate', () => {
  const items = fc.integer({ min: 1, max: 1e9 });
  fc.assert(
    fc.property(items, fc.double({ min: 0.1, max: 200, noNaN: true }), (n, bitsPerKey) => {
      const bits = Math.ceil(n * bitsPerKey);
      const rates = Array.from({ length: 64 }, (_, i) => rateOf(n, bits, i + 1));
      expect(rates[bestK(n, bits) - 1]).toBeLessThanOrEqual(Math.min(...rates) * (1 + 1e-9));
    }),
    { seed: 1 },
  );
});

test.each([
  [1_000_000, 9_585_059, 7, 0.0100392145592539],
  [5_000_000, 9_585_059, 7, 0.831885022568277],
  [1, 2 ** 50, 1, 2 ** -50],
])('%d keys in %d bits with k = %d have the usual rate of %d', (items, bits, k, rate) => {
  expect(asymptoticRate(items, bits, k) / rate).toBeCloseTo(1, 12);
});
