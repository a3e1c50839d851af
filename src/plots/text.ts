import { fold } from './fold.ts';
import { isOn, type Line, type Plot, shareOf, ticksOf } from './plot.ts';

/** Paints parts of a text, or leaves them unchanged. */
export type Painting = Readonly<Record<'strong' | 'faint' | 'good', (text: string) => string>>;

/** The characters of the lines, one for each of `MOST_LINES`. A line must be recognisable without colour. */
const CHARACTERS = '*o+x#%@=~^abcdefghijklmnpqrstuvwyzABCDEFGHIJKLNO';
const MEASURED = 'M';

const ROWS = 16;
const ROWS_PER_TICK = 4;
const WIDEST = 100;
const LEAST_COLUMNS = 8;
const COLUMNS_PER_TICK = 14;

/**
 * A plot in characters. Lines have at most `columns` characters, if there are at least about twenty, and end with a
 * newline.
 */
export function plotText(plot: Plot, columns: number, painting: Painting): string {
  const { x, y, lines, missing = [], measured = [], notes = [] } = plot;
  const yTicks = ticksOf(y, ROWS / ROWS_PER_TICK);
  const margin = Math.max(...yTicks.map((tick) => y.text(tick).length));
  const width = Math.max(LEAST_COLUMNS, Math.min(columns, WIDEST) - margin - 2);
  const columnOf = (value: number) => Math.round(shareOf(x, value) * (width - 1));
  const rowAt = (share: number) => Math.round((1 - share) * (ROWS - 1));
  const rowOf = (value: number) => rowAt(shareOf(y, value));
  const canvas = Array.from({ length: ROWS }, () => Array.from({ length: width }, () => ' '));
  const put = (row: number, column: number, character: string) => {
    const cells = canvas[row];
    if (cells?.[column] !== undefined) cells[column] = character;
  };

  for (const { x: at } of notes) if (isOn(x, at)) for (let row = 0; row < ROWS; row++) put(row, columnOf(at), ':');
  // The first lines are drawn last, above the others.
  for (const [i, line] of [...lines.entries()].reverse()) {
    for (let column = 0; column < width; column++) {
      const height = heightOf(line, plot, column / (width - 1)) ?? -1;
      if (height >= 0 && height <= 1) put(rowAt(height), column, CHARACTERS[i] ?? '*');
    }
  }
  for (const { x: at, y: value, low, high } of measured) {
    if (!isOn(x, at)) continue;
    for (let row = rowOf(Math.min(high, y.to)); row <= rowOf(Math.max(low, y.from)); row++) put(row, columnOf(at), '|');
    if (isOn(y, value)) put(rowOf(value), columnOf(at), MEASURED);
  }

  const labels = new Map(yTicks.map((tick) => [rowOf(tick), y.text(tick)]));
  const drawn = canvas.map((cells, row) => {
    const label = labels.get(row);
    const axis = `${(label ?? '').padStart(margin)} ${label === undefined ? '|' : '+'}`;
    return `${painting.faint(axis)}${cells.join('').trimEnd()}`;
  });
  const indent = ' '.repeat(margin + 1);
  const legend = [
    ...lines.map(({ name }, i) => `${CHARACTERS[i]} ${name}`),
    ...notes.flatMap(({ text }) => (text === '' ? [] : [`: ${text}`])),
    ...measured.map(({ name }) => `${MEASURED} ${name}`),
    ...(missing.length === 0 ? [] : [`not drawn: ${missing.join(', ')}`]),
  ];
  return [
    ...fold(plot.title, columns).map(painting.strong),
    ...fold(y.title, columns).map(painting.faint),
    ...drawn,
    painting.faint(`${indent}${axisLine(width, ticksOf(x, width / COLUMNS_PER_TICK).map(columnOf))}`),
    painting.faint(`${indent}${tickLabels(plot, width, columnOf)}`),
    ...fold(x.title, columns).map(painting.faint),
    ...legend.flatMap((text) => fold(text, columns)),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Two shares of an axis that differ by less are equal. */
const EQUAL = 1e-9;

/**
 * The height of a line at a share of x, as a share of y. Points are joined by straight lines. Undefined beyond the ends
 * of the line.
 */
function heightOf({ points }: Line, { x, y }: Plot, at: number): number | undefined {
  const end = points.findIndex((point, i) => {
    const before = points[i - 1];
    return before !== undefined && (shareOf(x, point.x) - at) * (shareOf(x, before.x) - at) <= EQUAL;
  });
  const [before, after] = [points[end - 1], points[end]];
  if (before === undefined || after === undefined) return undefined;
  const [from, to] = [shareOf(x, before.x), shareOf(x, after.x)];
  const share = Math.min(1, Math.max(0, (at - from) / (to - from)));
  return shareOf(y, before.y) + share * (shareOf(y, after.y) - shareOf(y, before.y));
}

function axisLine(width: number, ticks: readonly number[]): string {
  return Array.from({ length: width + 1 }, (_, i) => (i === 0 || ticks.includes(i - 1) ? '+' : '-')).join('');
}

/** The labels below the ticks of x. A label that would overlap another label is omitted. */
function tickLabels({ x }: Plot, width: number, columnOf: (value: number) => number): string {
  let line = ' ';
  for (const tick of ticksOf(x, width / COLUMNS_PER_TICK).sort((a, b) => columnOf(a) - columnOf(b))) {
    const text = x.text(tick);
    const start = Math.min(Math.max(1, 1 + columnOf(tick) - Math.floor(text.length / 2)), width + 1 - text.length);
    if (start < line.length || (line.length > 1 && start === line.length)) continue;
    line = `${line.padEnd(start)}${text}`;
  }
  return line;
}
