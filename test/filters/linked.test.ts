import { expect, test } from 'vitest';
import { linked, linkedShape } from '../../src/filters/linked.ts';

test('fills and keys of independent arrays are added, and rates combined', () => {
  const shape = linkedShape([
    { bits: 1000, k: 2 },
    { bits: 100_000, k: 5 },
  ]);
  expect(shape).toMatchObject({ bits: 101_000, segments: 2, k: 2 });
  const fill = [{ ones: 500 }, { ones: 20_000 }];
  expect(linked.fillRatio(fill, shape)).toBeCloseTo(20_500 / 101_000, 12);
  expect(linked.details(fill, shape)).toEqual([{ name: 'sliceFill', label: 'slices, filled', value: [0.5, 0.2] }]);
  // 1 - (1 - 0.5^2) (1 - 0.2^5)
  expect(linked.rateFromFill(fill, shape)).toBeCloseTo(1 - 0.75 * 0.99968, 12);
  const keys = -500 * Math.log(0.5) - 20_000 * Math.log(0.8);
  expect(linked.itemsFromFill(fill, shape).count).toBeCloseTo(keys, 6);
});
