import { expect, test } from 'vitest';
import { createFilterInPlace } from '../../../src/engine/store/shared-segments.ts';
import { openWindowFilters } from '../../../src/engine/store/window-filters.ts';
import { bloom } from '../../../src/filters/bloom.ts';
import { sliceBytes } from '../../../src/filters/slices.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';

const SHAPE = { ...bloom.geometry(512, 1), k: 1 };

test('the filter of a window that begins has no keys, whether its memory is new or that of a dropped one', () => {
  const begun = { window: 0, filter: createFilterInPlace(bloom, SHAPE, 1), keys: 7 };
  const filters = openWindowFilters(loadKernel(), 0, [begun], { keep: 1, estimates: false });
  const keysAfter = (window: number) => {
    filters.turn(window);
    return filters.all().map(({ keys }) => keys);
  };
  expect([1, 2, 3].map(keysAfter)).toEqual([
    [7, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(filters.most()).toBe(7);
});

test('a filter without slices needs no memory for their addresses', () => {
  expect(sliceBytes(SHAPE)).toBe(0);
});
