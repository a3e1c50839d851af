import { describe, expect, test } from 'vitest';
import { falsePositiveRate, occupiedRate } from '../../src/sizing/bloom.ts';
import { equalDigestRate } from '../../src/sizing/equal-digests.ts';
import { overfill } from '../../src/sizing/overfill.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { below, createRandom } from '../reference/random.ts';
import { boseRate, inclusionRate } from '../reference/rates.ts';

const SMALL = Array.from({ length: 63 }, (_, i) => i + 2).filter((bits) => IS_LONG || bits < 9 || bits % 8 === 0);

describe('the rate of a small filter is exact', () => {
  test.each([1, 2, 3, 7, 12])('for 2 to 64 bits, k = %d, by the closed form of Bose et al. 2008', (k) => {
    for (const bits of SMALL) {
      for (const items of [1, 2, 5, Math.ceil(bits / k), bits]) {
        const ratio = occupiedRate(items, bits, k) / boseRate(items, bits, k);
        expect(Math.abs(ratio - 1), `n = ${items}, m = ${bits}`).toBeLessThan(1e-9);
      }
    }
  });

  test.each(inLongRuns([100, 512, 1000, 1024], [100, 1024]))('for %d bits, by inclusion and exclusion', (bits) => {
    for (const k of [1, 3, 10, 17]) {
      for (const items of [1, 7, Math.round(bits / 10), bits]) {
        const ratio = occupiedRate(items, bits, k) / inclusionRate(items, bits, k);
        expect(Math.abs(ratio - 1), `n = ${items}, k = ${k}`).toBeLessThan(1e-9);
      }
    }
  });

  test.each([
    [1, 1, 1],
    [1, 1, 7],
    [64, 1, 1],
    [65, 1, 1],
    [1000, 1, 3],
    [1000, 2, 5],
  ])('%d keys in %d bits with k = %d fill it', (items, bits, k) => {
    expect(falsePositiveRate(items, bits, k)).toBeCloseTo(1, 12);
  });
});

test.each(inLongRuns([1025, 1536, 4096], [1025, 1536]))(
  'for %d bits and 1 to 50 bits per key its relative error is below 10^-3',
  (bits) => {
    for (const k of [1, 2, 7, 14, 20]) {
      for (const bitsPerKey of [50, 30, 10, 5, 1]) {
        const items = Math.round(bits / bitsPerKey);
        const ratio = occupiedRate(items, bits, k) / inclusionRate(items, bits, k);
        expect(Math.abs(ratio - 1), `n = ${items}, k = ${k}`).toBeLessThan(1e-3);
      }
    }
  },
);

test.each([
  [1, 4096, 2],
  [1, 2000, 5],
  [2, 4096, 3],
  [20, 4096, 3],
])('%d keys in %d bits with k = %d: nearly empty filters miss by a few percent', (items, bits, k) => {
  expect(Math.abs(occupiedRate(items, bits, k) / inclusionRate(items, bits, k) - 1)).toBeLessThan(0.05);
});

/** The share of false positives in filters with perfectly random probes, and its standard error. */
function simulated(items: number, bits: number, k: number, filters: number): { rate: number; error: number } {
  const random = createRandom(items);
  const rates = Array.from({ length: filters }, () => {
    const set = new Set(Array.from({ length: items * k }, () => below(random, bits)));
    return (set.size / bits) ** k;
  });
  const rate = rates.reduce((sum, value) => sum + value, 0) / filters;
  const variance = rates.reduce((sum, value) => sum + (value - rate) ** 2, 0) / filters;
  return { rate, error: Math.sqrt(variance / filters) };
}

test.each([
  [5, 40, 4],
  [30, 300, 7],
  [100, 1200, 7],
  [400, 5000, 3],
])('%d keys in %d bits with k = %d have the simulated rate', (items, bits, k) => {
  const { rate, error } = simulated(items, bits, k, inLongRuns(5000, 250));
  expect(Math.abs(falsePositiveRate(items, bits, k) - rate)).toBeLessThan(4 * error);
});

test('non-members may have the digest of a member, whatever the size', () => {
  expect(equalDigestRate(2 ** 32)).toBe(2 ** -32);
  expect(falsePositiveRate(2 ** 32, 2 ** 52, 30) / 2 ** -32).toBeCloseTo(1, 6);
  expect(falsePositiveRate(1e12, 100, 3)).toBe(1);
  expect(falsePositiveRate(0, 100, 3)).toBe(0);
  expect(falsePositiveRate(0, 1e9, 3)).toBe(0);
});

test('the rates of a filter for a million keys at 1 % with 1 to 10 times as many', () => {
  const rows = overfill(1_000_000, (items) => falsePositiveRate(items, 9_585_059, 7));
  const rates = [0.010039, 0.057883, 0.157453, 0.436038, 0.831885, 0.995295];
  expect(rows.map(({ factor, keys }) => [factor, keys])).toEqual([
    [1, 1_000_000],
    [1.5, 1_500_000],
    [2, 2_000_000],
    [3, 3_000_000],
    [5, 5_000_000],
    [10, 10_000_000],
  ]);
  rows.forEach(({ predictedFpr }, i) => {
    expect(predictedFpr).toBeCloseTo(rates[i] ?? 0, 5);
  });
});
