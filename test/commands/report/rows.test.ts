import { expect, test } from 'vitest';
import { rowOf } from '../../../src/commands/kind-rows.ts';
import type { Row } from '../../../src/commands/report/row.ts';
import { rowsText } from '../../../src/commands/report/rows.ts';
import type { FilterKind } from '../../../src/filters/kind.ts';
import { KINDS } from '../../../src/filters/registry.ts';
import { FORMATS } from '../../../src/formats/registry.ts';
import { palette } from '../../../src/terminal/colour.ts';

const CONSTRAINTS = { items: 10_000_000, fpr: 0.01 };

function rowFor(kind: FilterKind): Row {
  const plan = kind.plan(CONSTRAINTS);
  if (plan === undefined) throw new Error('there is no plan');
  return rowOf(kind, plan, CONSTRAINTS, FORMATS[0]);
}

/** The columns of a table, in the order in which they disappear as the width shrinks. */
async function leftOutInOrder(rows: readonly Row[]): Promise<string[]> {
  const colours = await palette(undefined, 'never');
  const order: string[] = [];
  for (let width = 140; width > 30; width--) {
    const text = await rowsText(rows, { colours, width, keyBytes: 64, overfill: false });
    const [, titles = ''] = /A wider terminal shows more: ([^.]*)\./.exec(text.replaceAll('\n', ' ')) ?? [];
    const gone = titles.split(/, (?!it can)/).filter((title) => title !== '');
    expect(order.every((title) => gone.includes(title)) || gone.length === 0).toBe(true);
    const more = gone.filter((title) => !order.includes(title));
    expect(more.length).toBeLessThanOrEqual(1);
    order.push(...more);
  }
  return order;
}

test('on narrow terminals, the least important columns are left out first: never the stated values, nor the bits', async () => {
  const [first] = KINDS;
  expect(await leftOutInOrder([rowFor(first)])).toEqual(['of stored keys', 'bits/key', 'bits', 'k', 'predicted']);
});

test('with several kinds, the column of abilities is left out last', async () => {
  expect(await leftOutInOrder(KINDS.map(rowFor))).toEqual(['bits/key', 'k', 'predicted', 'once built, it can']);
});
