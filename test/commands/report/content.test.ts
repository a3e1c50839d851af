import { expect, test } from 'vitest';
import { isOverfull } from '../../../src/commands/report/content.ts';
import { HEADER } from '../../formats/bloomery/files.ts';

test('a filter is overfull if three standard errors below the estimate there are more keys than it was sized for', () => {
  const holding = (count: number, error: number) => ({
    fillRatio: 0.5,
    places: 'bits',
    details: [],
    distinct: { count, error },
    predictedFpr: 0.01,
  });
  const header = { ...HEADER, capacity: 1000 };
  for (const [count, error, overfull] of [
    [1000, 0, false],
    [1001, 0, true],
    [1029, 10, false],
    [1031, 10, true],
    [1299, 100, false],
    [1301, 100, true],
  ] as const) {
    expect(isOverfull(header, holding(count, error)), `${count} with ${error}`).toBe(overfull);
  }
});
