import type { Palette } from './colour.ts';

/** Lines without frames. Two spaces separate the columns; the header is bold. */
const FRAMELESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

export interface Column {
  readonly title: string;
  /**
   * If the lines are too long, the columns with the highest number are omitted first. A column without a number stays.
   */
  readonly spare?: number;
  readonly align?: 'left';
}

const GAP = 2;

/**
 * A table of cells, aligned to the right unless a column says otherwise. If the lines are too long and no column can be
 * left out, each cell gets its own line. The text ends with a newline.
 */
export async function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  palette: Palette,
  width = Number.POSITIVE_INFINITY,
): Promise<string> {
  const shown = columnsThatFit(columns, rows, width);
  if (shown === undefined) return records(columns, rows, palette);
  const { default: Table } = await import('cli-table3');
  const widths = widthsOf(columns, rows);
  const draw = (some: readonly (readonly string[])[], head: string[]) => {
    const drawn = new Table({
      head,
      colWidths: shown.map((index) => widths[index] ?? 0),
      colAligns: shown.map((index) => columns[index]?.align ?? 'right'),
      chars: FRAMELESS,
      // cli-table3 would colour heads and borders even for a pipe.
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    });
    drawn.push(...some.map((row) => shown.map((index) => row[index] ?? '')));
    return `${drawn.toString().replace(/ +$/gm, '')}\n`;
  };
  const first = rows.slice(0, PIECE);
  const pieces = [
    draw(
      first,
      shown.map((index) => palette.strong(columns[index]?.title ?? '')),
    ),
  ];
  for (let from = PIECE; from < rows.length; from += PIECE) pieces.push(draw(rows.slice(from, from + PIECE), []));
  return pieces.join('');
}

/** Rows that are drawn at once: the drawing time grows with the square of their number. */
const PIECE = 50;

/** The titles of the columns that `table` omits. */
export function hiddenTitles(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  const shown = columnsThatFit(columns, rows, width);
  if (shown === undefined) return [];
  return columns.filter((_, index) => !shown.includes(index)).map(({ title }) => title);
}

/** The indexes of the columns that fit into a line. Undefined if the columns without a `spare` number do not fit. */
function columnsThatFit(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] | undefined {
  const widths = widthsOf(columns, rows);
  let shown = columns.map((_, index) => index);
  while (shown.reduce((sum, index) => sum + GAP + (widths[index] ?? 0), -GAP) > width) {
    const most = Math.max(...shown.map((index) => columns[index]?.spare ?? 0));
    if (most === 0) return undefined;
    shown = shown.filter((index) => columns[index]?.spare !== most);
  }
  return shown;
}

/** The width of each column in characters. */
function widthsOf(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly number[] {
  return columns.map(({ title }, index) =>
    rows.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), title.length),
  );
}

/** One line per cell, with its title before it, and an empty line between rows. */
function records(columns: readonly Column[], rows: readonly (readonly string[])[], palette: Palette): string {
  const width = GAP + Math.max(...columns.map(({ title }) => title.length));
  const line = (title: string, cell = '') => `${palette.strong(title.padEnd(width))}${cell}\n`;
  return rows.map((row) => columns.map(({ title }, index) => line(title, row[index])).join('')).join('\n');
}
