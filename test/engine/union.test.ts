import { expect, test } from 'vitest';
import { unionOf } from '../../src/engine/store/union.ts';
import { bloomery, descriptionOf } from '../../src/formats/bloomery/bloomery.ts';
import { HEADER } from '../formats/bloomery/files.ts';

const DESCRIPTION = descriptionOf(HEADER, 'a.bloom');

test('filters of two formats do not fit together', () => {
  const other = { ...DESCRIPTION, format: { ...bloomery, name: 'other' } };
  const files = [
    { name: 'a.bloom', description: DESCRIPTION },
    { name: 'b.other', description: other },
  ];
  expect(() => unionOf(files)).toThrow(
    expect.objectContaining({ message: expect.stringContaining('format is other in b.other, bloomery in a.bloom') }),
  );
});

test('a union states the keys of all filters, if all of them state their number', () => {
  const named = (inserted: number | undefined) => ({ name: 'x', description: { ...DESCRIPTION, inserted } });
  expect(unionOf([named(3), named(4), named(5)]).inserted).toBe(12);
  expect(unionOf([named(3), named(undefined), named(5)]).inserted).toBeUndefined();
});
