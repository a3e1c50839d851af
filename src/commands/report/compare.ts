import { displayName } from '../../io/look.ts';
import { count, rate } from '../../quantities.ts';
import type { ComparedPair, Interval, Overlap } from '../../sizing/overlap.ts';
import type { Palette } from '../../terminal/colour.ts';
import { type Column, table } from '../../terminal/table.ts';

const left = (title: string): Column => ({ title, align: 'left' });

/** What two sets have in common, as text. */
export async function pairText(
  [first, second]: readonly [string, string],
  { a, b, union, both, aInB, bInA, jaccard }: Overlap,
  colours: Palette,
  width?: number,
): Promise<string> {
  const [one, other] = [displayName(first), displayName(second)];
  const keys = (name: string, { value, low, high }: Interval) => [
    name,
    count(value),
    `${count(low)} to ${count(high)}`,
  ];
  const share = (name: string, found: Interval | undefined) =>
    found === undefined ? [name, '-', ''] : [name, rate(found.value), `${rate(found.low)} to ${rate(found.high)}`];
  const rows = [
    keys(`keys of ${one}`, a),
    keys(`keys of ${other}`, b),
    keys('keys in both', both),
    keys('keys in either', union),
    share(`share of ${one} in ${other}`, aInB),
    share(`share of ${other} in ${one}`, bInA),
    share('Jaccard index', jaccard),
  ];
  return table([left(''), { title: 'estimate' }, { title: '95 % interval' }], rows, colours, width);
}

/** A matrix of several sets: for each pair, the share of the keys of the row that are in the column. */
export async function matrixText(
  names: readonly string[],
  pairs: readonly ComparedPair[],
  colours: Palette,
  width?: number,
): Promise<string> {
  const keys = new Map<number, Interval>();
  const shares = new Map<string, Interval | undefined>();
  for (const { first, second, overlap } of pairs) {
    keys.set(first, overlap.a).set(second, overlap.b);
    shares.set(`${first} ${second}`, overlap.aInB).set(`${second} ${first}`, overlap.bInA);
  }
  const columns = [left(''), { title: 'keys' }, ...names.map((_, i) => ({ title: `in ${i + 1}` }))];
  const rows = names.map((name, row) => [
    `${row + 1} ${displayName(name)}`,
    count(keys.get(row)?.value ?? 0),
    ...names.map((_, column) => (row === column ? '' : shareText(shares.get(`${row} ${column}`)))),
  ]);
  return table(columns, rows, colours, width);
}

/** A share. If it may be 0, its upper bound. */
function shareText(share: Interval | undefined): string {
  if (share === undefined) return '-';
  return share.low === 0 && share.high > 0 ? `< ${rate(share.high)}` : rate(share.value);
}

/** What two sets have in common, for programs. */
export function pairJson(first: string, second: string, { a, b, union, both, aInB, bInA, jaccard }: Overlap) {
  return {
    file: first,
    otherFile: second,
    items: keysJson(a),
    otherItems: keysJson(b),
    union: keysJson(union),
    intersection: keysJson(both),
    jaccard: shareJson(jaccard),
    containment: shareJson(aInB),
    otherContainment: shareJson(bInA),
  };
}

function keysJson({ value, low, high }: Interval) {
  return { estimatedItems: Math.round(value), low: Math.round(low), high: Math.round(high) };
}

function shareJson(share: Interval | undefined) {
  return share === undefined ? null : { share: share.value, low: share.low, high: share.high };
}
