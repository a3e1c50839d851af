import { expect, test } from 'vitest';
import { mistakenForEach, NOTHING, rangeOfMistaken } from '../../src/sizing/first-sightings.ts';

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
