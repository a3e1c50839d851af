import type { LineColours } from '../engine/tasks/colours.ts';
import { STDOUT } from '../io/descriptors.ts';
import { isTerminal } from '../io/terminal.ts';
import type { ColourSetting } from '../terminal/colour.ts';

/** Those of grep. */
const DEFAULT: LineColours = { match: '01;31', file: '35', line: '32', separator: '36', clears: true };

/** What GREP_COLORS calls them. */
const NAMES: Readonly<Record<string, keyof Omit<LineColours, 'clears'>>> = {
  mt: 'match',
  ms: 'match',
  fn: 'file',
  ln: 'line',
  se: 'separator',
};

/**
 * The colours of what a query prints: --color, NO_COLOR, TERM=dumb, a terminal, in this order. Whoever reads a pipe gets the bytes of
 * the records, also where FORCE_COLOR is set for messages.
 */
export async function lineColours(setting: ColourSetting | undefined): Promise<LineColours | undefined> {
  if (setting === 'never') return undefined;
  const { NO_COLOR, TERM, GREP_COLORS = '' } = process.env;
  if (setting !== 'always' && (NO_COLOR || TERM === 'dumb' || !(await isTerminal(STDOUT)))) return undefined;
  return withChosen(GREP_COLORS);
}

/** The colours with those that GREP_COLORS names, up to one that is none, as grep takes it. */
function withChosen(text: string): LineColours {
  const colours = { ...DEFAULT };
  for (const item of text.split(':')) {
    const [name = '', value] = item.split('=', 2);
    if (name === 'ne') colours.clears = false;
    if (value === undefined) continue;
    if (!/^[\d;]*$/.test(value)) break;
    const part = NAMES[name];
    if (part !== undefined) colours[part] = value;
  }
  return colours;
}
