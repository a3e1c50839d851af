import { bytes, count, fixed, plural, rate, ratesLike, shortCount, withNoun } from '../../quantities.ts';
import { lowerBoundBits } from '../../sizing/bloom.ts';
import { equalDigestRate, hasEqualDigests } from '../../sizing/equal-digests.ts';
import type { Palette } from '../../terminal/colour.ts';
import { hiddenTitles, table } from '../../terminal/table.ts';
import { wrap } from '../../terminal/wrap.ts';
import { COMPARISON, FORMAT, KIND, OF_STORED, overfillOf, PLAIN, type Row, rowJson } from './row.ts';

/** How rows are printed for people. */
export interface TableStyle {
  readonly colours: Palette;
  /** Characters per line. */
  readonly width: number;
  /** Bytes per key, to compare with storing the keys. */
  readonly keyBytes: number;
  readonly overfill: boolean;
}

/** Rows as CSV, with the names of JSON.md. */
export function rowsCsv(rows: readonly Row[]): string {
  const objects = rows.map((row) => rowJson(row, false));
  const lines = objects.map((object) => Object.values(object).join(','));
  return `${Object.keys(objects[0] ?? {}).join(',')}\n${lines.join('\n')}\n`;
}

/** Rows as text, with remarks. */
export async function rowsText(rows: readonly Row[], style: TableStyle): Promise<string> {
  const { colours, width, keyBytes } = style;
  const compares = new Set(rows.map(({ name }) => name)).size > 1;
  const rateText = ratesLike(rows.flatMap(({ plan }) => [plan.fpr, plan.predictedFpr]));
  const named = rows.some(({ names }) => names === 'format') ? FORMAT : KIND;
  const shown = [named, ...(compares ? COMPARISON : PLAIN)];
  const cells = rows.map((row) => shown.map(({ of }) => of({ row, rateText, keyBytes })));
  const columns = shown.map(({ column }) => column);
  const parts = [await table(columns, cells, colours, width)];
  const hidden = hiddenTitles(columns, cells, width);
  const more = hidden.length === 0 ? [] : [`A wider terminal shows more: ${hidden.join(', ')}.`];
  for (const remark of [...more, ...remarks(rows, keyBytes, compares, hidden)])
    parts.push(...wrap(remark, width).map((line) => `${colours.faint(line)}\n`));
  if (!style.overfill) return parts.join('');
  for (const row of rows) {
    const name = compares ? `${row.name}, ` : '';
    const title =
      rows.length === 1 ? '' : `${name}${withNoun(shortCount(row.plan.items), 'key')} at ${rateText(row.plan.fpr)}:\n`;
    parts.push(`\n${title}${await overfillTable(row, style)}`);
  }
  return parts.join('');
}

/** The remarks below a table. */
function remarks(rows: readonly Row[], keyBytes: number, compares: boolean, leftOut: readonly string[]): string[] {
  const [first] = rows;
  const only = <T>(of: (row: Row) => T) => new Set(rows.map(of)).size === 1;
  if (first === undefined || !only(({ plan }) => plan.items))
    return compares || leftOut.includes(OF_STORED.column.title)
      ? []
      : [`Compared with storing keys of ${plural(keyBytes, 'byte')}.`];
  const { items, fpr } = first.plan;
  const stored = `Storing ${plural(items, 'key')} of ${plural(keyBytes, 'byte')} takes ${bytes(items * keyBytes)}.`;
  if (!only(({ plan }) => plan.fpr)) return [stored];
  const ofDigests = first.format === 'bloomery' && hasEqualDigests(items, fpr) ? [digestsRemark(items)] : [];
  if (!compares) return [stored, ...ofDigests];
  const least = lowerBoundBits(items, fpr);
  return [
    stored,
    `No filter for ${plural(items, 'key')} at ${rate(fpr)} takes less than ${fixed(least / items)} bits per key, ${bytes(Math.ceil(least / 8))}.`,
    ...ofDigests,
  ];
}

/** The remark about the part of a rate that no size lowers. */
function digestsRemark(items: number): string {
  return `Digests have 64 bits: ${plural(items, 'key')} have a rate above ${rate(equalDigestRate(items))} in a filter of any size.`;
}

function overfillTable(row: Row, { colours, width }: TableStyle): Promise<string> {
  const overfilled = overfillOf(row);
  const rateText = ratesLike(overfilled.map(({ predictedFpr = 1 }) => predictedFpr));
  const cells = overfilled.map(({ factor, keys, predictedFpr }) => [
    `${factor}x`,
    count(keys),
    predictedFpr === undefined ? 'full' : rateText(predictedFpr),
  ]);
  return table([{ title: 'filled' }, { title: 'keys' }, { title: 'rate' }], cells, colours, width);
}
