import { expect, test } from 'vitest';
import { withHeadroom } from '../../src/sizing/solve.ts';

test('headroom is exact in decimal digits', () => {
  const wrong: string[] = [];
  for (let thousands = 1; thousands <= 60; thousands++) {
    for (let percent = 0; percent <= 100; percent++) {
      const items = 1000 * thousands;
      if (withHeadroom(items, percent / 100) !== items + 10 * thousands * percent) wrong.push(`${items}, ${percent} %`);
    }
  }
  expect(wrong).toEqual([]);
});

test('headroom is rounded up', () => {
  expect(withHeadroom(1001, 0.1)).toBe(1102);
  expect(withHeadroom(10, 0.25)).toBe(13);
  expect(withHeadroom(1, 0)).toBe(1);
  expect(withHeadroom(1_000_000, 0.000_001_1)).toBe(1_000_002);
});
