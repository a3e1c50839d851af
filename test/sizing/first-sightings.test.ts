import { expect, test } from 'vitest';
import {
  cameSince,
  mistakenBefore,
  mistakenByFill,
  mistakenForEach,
  mistakenForKnown,
  NOTHING,
  rangeOfMistaken,
} from '../../src/sizing/first-sightings.ts';

test('of a full filter, any number of known keys may be mistaken for known', () => {
  const full = mistakenForEach(1);
  for (const mistaken of [
    { mistaken: full, trailing: NOTHING },
    { mistaken: { mean: 3, variance: Number.POSITIVE_INFINITY }, trailing: NOTHING },
  ])
    expect(rangeOfMistaken(mistaken, 70)).toEqual({ least: 0, mean: undefined, most: 70 });
});

test('no bound is below 0, or above the number of known keys', () => {
  const mistaken = { mistaken: { mean: 4, variance: 9 }, trailing: { mean: 2, variance: 4 } };
  expect(rangeOfMistaken(mistaken, 5)).toEqual({ least: 0, mean: 4, most: 5 });
  expect(rangeOfMistaken({ ...mistaken, mistaken: { mean: 400, variance: 400 } }, 10_000)).toEqual({
    // 3.3 standard errors and 3 % of the mean: 20 x 3.3 + 12, and sqrt(404) x 3.3 + 12, with 3 for the tail.
    least: 400 - 78,
    mean: 400,
    most: expect.closeTo(402 + 66.329 + 12 + 3, 2),
  });
});

const UNKNOWN = { mean: Number.POSITIVE_INFINITY, variance: Number.POSITIVE_INFINITY };

// Before each key that a filter gets, it takes a geometric number of keys for known.
test.each([
  [0.05, 0.05 / 0.95, 0.05 / 0.95 ** 2],
  [0.0999, 0.0999 / 0.9001, 0.0999 / 0.9001 ** 2],
])('earlier keys met at most the rate of now, %d', (rate, mean, variance) => {
  expect(mistakenBefore(rate, 100)).toEqual({
    mean: expect.closeTo(100 * mean, 9),
    variance: expect.closeTo(100 * variance, 9),
  });
});

test('nothing is known of earlier keys if the rate is high, and without keys nothing was mistaken', () => {
  expect(mistakenBefore(0.1, 100)).toEqual(UNKNOWN);
  expect(mistakenBefore(0.5, 0)).toEqual(NOTHING);
});

test('at a high rate, the ones of a filter tell how many keys came', () => {
  const came = { mean: 1000, variance: 4 };
  expect(mistakenByFill(0.0999, came, 1, 900)).toBeUndefined();
  expect(mistakenByFill(0.1, came, 1, 900)).toEqual({ mean: 100, variance: 4 });
  // Half of all keys, 2000, do not reach this filter: their number has the variance of a binomial distribution.
  expect(mistakenByFill(0.5, came, 0.5, 900)).toEqual({ mean: 1100, variance: 4 / 0.25 + (2000 * 0.5) / 0.5 });
  expect(mistakenByFill(0.5, came, 0.2, 900)?.mean).toBeCloseTo(5000 - 900, 6);
  expect(mistakenByFill(0.5, came, 0.19, 900)).toEqual(UNKNOWN);
  expect(mistakenByFill(0.5, { ...came, mean: Number.POSITIVE_INFINITY }, 1, 900)).toEqual(UNKNOWN);
  expect(mistakenByFill(0.5, came, 1, 1200)?.mean).toBe(0);
});

test('the keys that came are the difference of two estimates', () => {
  const one = { count: 50, error: 3 };
  expect(cameSince(one, { count: 20, error: 4 })).toEqual({ mean: 30, variance: 25 });
  expect(cameSince(one, { count: 70, error: 4 }).mean).toBe(0);
  expect(cameSince({ ...one, isFloor: true }, one)).toEqual({ mean: 0, variance: Number.POSITIVE_INFINITY });
});

test.each([
  [0, 1000],
  [500, 2000],
])('while a filter with %d keys gets %d, its rate rises with each key', (held, firsts) => {
  const rateAt = (keys: number) => (1 - Math.exp(-keys / 3000)) ** 3;
  // Key by key: each of them, mistaken or not, raises the rate for the next.
  let [mistaken, variance] = [0, 0];
  for (let i = 0; i < firsts; i++) {
    const rate = rateAt(held + i + mistaken);
    mistaken += rate / (1 - rate);
    variance += rate / (1 - rate) ** 2;
  }
  const found = mistakenForKnown(rateAt, held, firsts);
  expect(found.mean / mistaken).toBeCloseTo(1, 2);
  expect(found.variance / variance).toBeCloseTo(1, 2);
});

test('a filter that gets no keys mistakes none', () => expect(mistakenForKnown(() => 0.5, 10, 0)).toEqual(NOTHING));
