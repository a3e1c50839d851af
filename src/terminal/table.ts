import type { Palette } from './colour.ts';

/** Lines without frames: columns are separated by two blanks, the header by its weight. */
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

/** A table of cells, each column aligned to the right but for those named. Ends with a newline. */
export async function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  palette: Palette,
  leftAligned: readonly number[] = [],
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const drawn = new Table({
    head: header.map((title) => palette.strong(title)),
    colAligns: header.map((_, column) => (leftAligned.includes(column) ? 'left' : 'right')),
    chars: FRAMELESS,
    // cli-table3 would colour heads and borders even into a pipe.
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  drawn.push(...rows.map((row) => [...row]));
  return `${drawn.toString().replace(/ +$/gm, '')}\n`;
}
