import { expect, test } from 'vitest';
import { capacityFor, isOverfull } from '../../../src/commands/report/content.ts';
import { descriptionOf } from '../../../src/formats/bloomery/bloomery.ts';
import { partOf } from '../../../src/sizing/share.ts';
import { HEADER } from '../../formats/bloomery/files.ts';

test('a filter is overfull if its estimate minus three standard errors exceeds its capacity', () => {
  const holding = (count: number, error: number) => ({
    fillRatio: 0.5,
    units: 'bits',
    details: [],
    distinct: { count, error },
    predictedFpr: 0.01,
  });
  const description = descriptionOf({ ...HEADER, capacity: 1000 }, 'a filter');
  for (const [count, error, overfull] of [
    [1000, 0, false],
    [1001, 0, true],
    [1029, 10, false],
    [1031, 10, true],
    [1299, 100, false],
    [1301, 100, true],
  ] as const) {
    expect(isOverfull(description, holding(count, error)), `${count} with ${error}`).toBe(overfull);
  }
});

test('a part of a filter is overfull if chance does not explain its number of keys', () => {
  // Of 1,000 keys in 4 segments, two segments have 500, with a standard deviation of 15.8.
  const whole = { ...HEADER, capacity: 1000, segments: 4, bits: 2048 };
  const description = descriptionOf(partOf(whole, 1, 2), 'a filter');
  const holding = (count: number) => ({
    ...{ fillRatio: 0.5, units: 'bits', details: [], predictedFpr: 0.01 },
    distinct: { count, error: 0 },
  });
  expect(isOverfull(description, holding(563))).toBe(false);
  expect(isOverfull(description, holding(564))).toBe(true);
  expect(capacityFor(description, holding(564))).toBe(1200);
});
