import { expect, test } from 'vitest';
import { palette } from '../../src/terminal/colour.ts';
import { type Column, hiddenTitles, table } from '../../src/terminal/table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'kind', align: 'left' },
  { title: 'keys' },
  { title: 'k', spare: 1 },
  { title: 'of stored', spare: 2 },
];
const ROWS = [
  ['bloom', '1,000', '7', '1 %'],
  ['a', '10', '12', '12 %'],
];

const drawn = async (width?: number) => table(COLUMNS, ROWS, await palette(1, 'never'), width);

const WIDE = ['kind    keys   k  of stored', 'bloom  1,000   7        1 %', 'a         10  12       12 %', ''];
const NARROWER = ['kind    keys   k', 'bloom  1,000   7', 'a         10  12', ''];
const NARROW = ['kind    keys', 'bloom  1,000', 'a         10', ''];
const RECORDS = [
  'kind       bloom',
  'keys       1,000',
  'k          7',
  'of stored  1 %',
  '',
  'kind       a',
  'keys       10',
  'k          12',
  'of stored  12 %',
  '',
];

test.each([
  [undefined, WIDE, []],
  [27, WIDE, []],
  [26, NARROWER, ['of stored']],
  [16, NARROWER, ['of stored']],
  [15, NARROW, ['k', 'of stored']],
  [12, NARROW, ['k', 'of stored']],
  [11, RECORDS, []],
])('a table that may be %s wide', async (width, lines, leftOut) => {
  expect(hiddenTitles(COLUMNS, ROWS, width ?? Number.POSITIVE_INFINITY)).toEqual(leftOut);
  expect((await drawn(width)).split('\n').map((line) => line.trimEnd())).toEqual(lines);
});

test.each([49, 50, 51, 99, 101, 151])('a table of %d rows has all rows in their order', async (count) => {
  const rows = Array.from({ length: count }, (_, i) => ['bloom', String(i), '7', '']);
  const lines = (await table(COLUMNS, rows, await palette(1, 'never'))).split('\n');
  const expected = rows.map((_, i) => `bloom  ${String(i).padStart(4)}  7`);
  expect(lines).toEqual(['kind   keys  k  of stored', ...expected, '']);
});
