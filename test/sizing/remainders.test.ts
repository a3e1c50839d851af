// The hit rate of a slice by its definition: 16-bit numbers, their remainders counted one by one.

import { expect, test } from 'vitest';
import { sliceHitRate, sliceHitRateFromFill } from '../../src/sizing/remainders.ts';

/** The chance of each bit of a slice. From 2^15 bits on, the numbers have 32 bits or more, and all chances are equal. */
function chancesOf(bits: number): number[] {
  if (bits >= 2 ** 15) return Array.from({ length: bits }, () => 1 / bits);
  const counts = new Array<number>(bits).fill(0);
  for (let number = 0; number < 2 ** 16; number++) counts[number % bits] = (counts[number % bits] ?? 0) + 1;
  return counts.map((of) => of / 2 ** 16);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test.each([
  [1, 4],
  [3, 2],
  [24, 10],
  [275, 200],
  [1000, 1],
  [20_000, 14_000],
  [2 ** 15 - 1, 20_000],
  [2 ** 15, 20_000],
])('of %d bits with %d keys', (bits, items) => {
  const chances = chancesOf(bits);
  const set = chances.map((chance) => 1 - (1 - chance) ** items);
  const hit = sum(chances.map((chance, i) => chance * (set[i] ?? 0)));
  expect(sliceHitRate(items, bits) / hit).toBeCloseTo(1, 9);
  expect(sliceHitRateFromFill(sum(set) / bits, bits) / hit).toBeCloseTo(1, 9);
});

test.each([1, 275, 2 ** 15])('no key of %d bits is hit without keys', (bits) => {
  expect(sliceHitRate(0, bits)).toBe(0);
});

test.each([0, 1])('a share of ones of %d is the rate', (fill) => {
  expect(sliceHitRateFromFill(fill, 275)).toBe(fill);
});

test('frequent remainders make the rate higher than the share of ones', () => {
  // 2^16 mod 20,000 is 5536, so these bits have four numbers each and the others three.
  expect(sliceHitRateFromFill(0.5, 20_000)).toBeGreaterThan(0.505);
  expect(sliceHitRateFromFill(0.5, 2 ** 15)).toBeCloseTo(0.5, 9);
});
