import { bytes, count, fixed, plural, rate, ratesLike, shortCount, withNoun } from '../../quantities.ts';
import { lowerBoundBits } from '../../sizing/bloom.ts';
import { overfill } from '../../sizing/overfill.ts';
import type { Plan } from '../../sizing/solve.ts';
import type { Palette } from '../../terminal/colour.ts';
import { type Column, hiddenTitles, table } from '../../terminal/table.ts';
import { wrap } from '../../terminal/wrap.ts';

/** A sized filter. */
export interface Row {
  /** Its name among others: the kind or the format. */
  readonly name: string;
  /** The meaning of `name`. */
  readonly names: 'kind' | 'format';
  readonly format: string;
  readonly kind: string;
  readonly plan: Plan;
  /** Equal parts of the filter. */
  readonly segments: number;
  readonly fileBytes: number;
  /** The operations that it supports. */
  readonly abilities: readonly string[];
  /** The warning for a rate above the target that no flag explains. */
  readonly shortfall?: string | undefined;
  /** The rate with this number of keys. Undefined if they do not fit. */
  rateWith(items: number): number | undefined;
}

/** How rows are printed for people. */
export interface TableStyle {
  readonly colours: Palette;
  /** Characters per line. */
  readonly width: number;
  /** Bytes per key, to compare with storing the keys. */
  readonly keyBytes: number;
  readonly overfill: boolean;
}

/** A row in JSON. */
export function rowJson(row: Row, withOverfill: boolean) {
  const { format, kind, plan, segments, fileBytes } = row;
  return {
    format,
    kind,
    bits: plan.bits,
    hashes: plan.k,
    segments,
    bytes: fileBytes,
    bitsPerKey: plan.bits / plan.items,
    capacity: plan.items,
    targetFpr: plan.fpr,
    predictedFpr: plan.predictedFpr,
    lowerBoundBits: Math.ceil(lowerBoundBits(plan.items, plan.fpr)),
    ...(withOverfill
      ? { overfill: overfillOf(row).map((held) => ({ ...held, predictedFpr: held.predictedFpr ?? null })) }
      : {}),
  };
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

/** The values behind the cells of a row. */
interface Cells {
  readonly row: Row;
  readonly rateText: (rate: number) => string;
  readonly keyBytes: number;
}

interface Shown {
  readonly column: Column;
  readonly of: (cells: Cells) => string;
}

const KIND: Shown = { column: { title: 'kind', align: 'left' }, of: ({ row }) => row.name };
const FORMAT: Shown = { column: { title: 'format', align: 'left' }, of: ({ row }) => row.name };
const KEYS: Shown = { column: { title: 'keys' }, of: ({ row }) => count(row.plan.items) };
const TARGET: Shown = { column: { title: 'target' }, of: ({ row, rateText }) => rateText(row.plan.fpr) };
const PREDICTED: Shown = {
  column: { title: 'predicted', spare: 2 },
  of: ({ row, rateText }) => rateText(row.plan.predictedFpr),
};
const HASHES: Shown = { column: { title: 'k', spare: 3 }, of: ({ row }) => String(row.plan.k) };
const BITS: Shown = { column: { title: 'bits', spare: 4 }, of: ({ row }) => count(row.plan.bits) };
const FILE: Shown = { column: { title: 'file' }, of: ({ row }) => bytes(row.fileBytes) };
const BITS_PER_KEY: Shown = {
  column: { title: 'bits/key', spare: 5 },
  of: ({ row }) => fixed(row.plan.bits / row.plan.items),
};
const OF_STORED: Shown = {
  column: { title: 'of stored keys', spare: 6 },
  of: ({ row, keyBytes }) => rate(row.fileBytes / (row.plan.items * keyBytes)),
};
const ABILITIES: Shown = {
  column: { title: 'once built, it can', align: 'left', spare: 1 },
  of: ({ row }) => row.abilities.join(', ') || 'nothing',
};

/** The columns for one kind or format. For several, the name comes first. */
const PLAIN = [KEYS, TARGET, PREDICTED, BITS, FILE, HASHES, BITS_PER_KEY, OF_STORED];
const COMPARISON = [KEYS, TARGET, PREDICTED, HASHES, BITS_PER_KEY, FILE, ABILITIES];

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
  if (!compares || !only(({ plan }) => plan.fpr)) return [stored];
  const least = lowerBoundBits(items, fpr);
  return [
    stored,
    `No filter for ${plural(items, 'key')} at ${rate(fpr)} takes less than ${fixed(least / items)} bits per key, ${bytes(Math.ceil(least / 8))}.`,
  ];
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

function overfillOf({ plan, rateWith }: Row) {
  return overfill(plan.items, rateWith);
}
