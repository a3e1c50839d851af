import { describe, expect, test } from 'vitest';
import { asymptoticRate, rateOfShares, roughRateOfShares } from '../../src/sizing/bloom.ts';
import { allOf, partOf, rangeOf, wholeOf } from '../../src/sizing/share.ts';

/** The mean of a function of a segment's number of keys, if n keys fall into S segments (binomial distribution). */
function binomialMean(items: number, segments: number, of: (items: number) => number): number {
  const p = 1 / segments;
  let log = items * Math.log1p(-p);
  let mean = 0;
  // Twice the mean is enough: larger segments do not occur.
  for (let keys = 0; keys <= 2 * items * p; keys++) {
    mean += Math.exp(log) * of(keys);
    log += Math.log((items - keys) / (keys + 1)) + Math.log(p / (1 - p));
  }
  return mean;
}

describe('the rate of small segments', () => {
  // The number of keys for which k is optimal, and fewer and more.
  test.each([
    [7, 1, 2 ** 17],
    [7, 0.3, 2 ** 17],
    [7, 2, 2 ** 17],
    [20, 1, 2 ** 17],
    [30, 1, 2 ** 17],
    [30, 0.5, 2 ** 17],
    [1, 1, 2 ** 15],
    [7, 1, 2 ** 15],
    [30, 1, 2 ** 15],
    [50, 1, 2 ** 15],
    [50, 0.5, 2 ** 15],
  ])(
    'is the mean over the keys that they get by chance: k = %d, %d times as full as meant, %d bits',
    (k, fullness, segmentBits) => {
      const segments = 64;
      const items = Math.round((fullness * segments * segmentBits * Math.LN2) / k);
      const rateOf = (keys: number) => asymptoticRate(keys, segmentBits, k);
      const rate = rateOfShares(items, { segments, segmentBits, bits: segments * segmentBits }, rateOf);
      const exact = binomialMean(items, segments, rateOf);
      expect(Math.abs(rate / exact - 1)).toBeLessThan(1e-6);
      // The rate at the mean number of keys is less exact.
      expect(Math.abs(rateOf(items / segments) / exact - 1)).toBeGreaterThan(Math.abs(rate / exact - 1));
    },
  );

  // A sum over so few keys is exact.
  test.each([
    [1, 64],
    [5, 64],
    [10, 3],
    [100, 64],
    [1000, 20],
  ])('is the mean for few keys too: %d keys in %d segments', (items, segments) => {
    const geometry = { segments, segmentBits: 2 ** 15, bits: segments * 2 ** 15 };
    const p = 1 / segments;
    const chances = Array.from({ length: items + 1 }, () => (1 - p) ** items);
    for (let keys = 1; keys <= items; keys++)
      chances[keys] = ((chances[keys - 1] ?? 0) * (items - keys + 1) * p) / (keys * (1 - p));
    for (const of of [(keys: number) => keys, (keys: number) => keys ** 3, (keys: number) => 1.5 ** keys]) {
      const exact = chances.reduce((sum, chance, keys) => sum + chance * of(keys), 0);
      expect(rateOfShares(items, geometry, of) / exact).toBeCloseTo(1, 6);
    }
  });

  /** The moments of a normal distribution. */
  const moments = (mean: number, variance: number) => [
    1,
    mean,
    mean ** 2 + variance,
    mean ** 3 + 3 * mean * variance,
    mean ** 4 + 6 * mean ** 2 * variance + 3 * variance ** 2,
    mean ** 5 + 10 * mean ** 3 * variance + 15 * mean * variance ** 2,
  ];

  test.each([
    [1000, 64],
    [20, 2],
    [4e6, 100],
    [7, 2],
  ])(
    'is roughly a quadrature with three nodes, which is exact for polynomials: %d keys in %d segments',
    (items, segments) => {
      const geometry = { segments, segmentBits: 2 ** 15, bits: segments * 2 ** 15 };
      const mean = items / segments;
      for (const [power, moment] of moments(mean, mean * (1 - 1 / segments)).entries()) {
        const rough = roughRateOfShares(items, geometry, (keys) => keys ** power);
        expect(rough / moment, `power ${power}`).toBeCloseTo(1, 12);
      }
    },
  );

  test('of fewer keys than three per segment counts no negative numbers of keys', () => {
    const keys: number[] = [];
    const geometry = { segments: 64, segmentBits: 2 ** 15, bits: 2 ** 21 };
    roughRateOfShares(64, geometry, (some) => keys.push(some));
    expect(keys.toSorted((a, b) => a - b)).toEqual([0, 1, 1 + Math.sqrt(3 * (1 - 1 / 64))]);
  });

  test('is the rate at the mean load in segments of the largest size', () => {
    const geometry = { segments: 8, segmentBits: 2 ** 22, bits: 2 ** 25 };
    expect(rateOfShares(800, geometry, (keys) => keys)).toBe(100);
    expect(rateOfShares(800, geometry, (keys) => keys ** 2)).toBe(10_000);
    expect(roughRateOfShares(800, geometry, (keys) => keys ** 2)).toBe(10_000);
  });
});

describe('parts of a filter', () => {
  test.each([
    [7, 3],
    [8, 8],
    [1000, 16],
    [2 ** 21, 999],
  ])('of %d segments, %d parts, follow each other without a gap', (segments, parts) => {
    const whole = { segments, segmentBits: 2 ** 20, bits: segments * 2 ** 20 };
    let end = 0;
    for (let part = 1; part <= parts; part++) {
      const shape = partOf(whole, part, parts);
      const range = rangeOf(shape);
      expect([range.first, range.of, range.count]).toEqual([end, segments, shape.segments]);
      expect([Math.floor(segments / parts), Math.ceil(segments / parts)]).toContain(range.count);
      end += range.count;
    }
    expect(end).toBe(segments);
  });

  test('describe the whole filter, from which other parts can be made', () => {
    const whole = { segments: 10, segmentBits: 512, bits: 5120 };
    const part = partOf(whole, 2, 4);
    expect(part).toMatchObject({ segments: 3, bits: 1536 });
    expect(wholeOf(part)).toEqual(whole);
    expect(partOf(part, 1, 1)).toEqual(whole);
    expect(rangeOf(partOf(part, 3, 3))).toMatchObject({ first: 6, count: 4, of: 10 });
    expect(rangeOf(whole)).toMatchObject(allOf(10));
  });
});
