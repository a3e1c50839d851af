import { expect, test } from 'vitest';
import { scalable } from '../../src/filters/scalable.ts';
import { descriptionOf } from '../../src/formats/bloomery/bloomery.ts';
import { withMoreKeys } from '../../src/formats/description.ts';
import { HEADER } from './bloomery/files.ts';

const DESCRIPTION = descriptionOf(HEADER, 'x');
const { shape } = DESCRIPTION;

test('added and removed keys are counted, unless the number before is unknown', () => {
  expect(withMoreKeys(DESCRIPTION, shape, 5)).toEqual({ ...DESCRIPTION, inserted: HEADER.inserted + 5 });
  expect(withMoreKeys(DESCRIPTION, shape, -5)).toEqual({ ...DESCRIPTION, inserted: HEADER.inserted - 5 });
  const unknown = { ...DESCRIPTION, target: undefined, inserted: undefined };
  expect(withMoreKeys(unknown, shape, 5)).toEqual(unknown);
});

test('the capacity of a filter that has grown is that of all its slices', () => {
  const slice = { segments: 1, k: 7 };
  const chainOf = (slices: (typeof slice)[]) => ({ fpr: 0.01, growth: 2, tightening: 0.5, slices });
  const grown = { segments: 3, segmentBits: 2 ** 20, bits: 3 * 2 ** 20, k: 7, chain: chainOf([slice, slice, slice]) };
  const before = { ...DESCRIPTION, kind: scalable };
  expect(scalable.capacity?.(grown)).toBeGreaterThan(HEADER.capacity);
  expect(withMoreKeys(before, grown, 0).target).toEqual({
    capacity: scalable.capacity?.(grown),
    targetFpr: HEADER.targetFpr,
  });
});
