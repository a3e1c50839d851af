import type { LineColours } from '../engine/tasks/colours.ts';
import { STDOUT } from '../io/descriptors.ts';
import { isTerminal } from '../io/terminal.ts';
import type { ColourSetting } from '../terminal/colour.ts';

/** The default colours of grep. */
const DEFAULT: LineColours = { match: '01;31', file: '35', line: '32', separator: '36', clears: true };

/** The names in GREP_COLORS. */
const NAMES: Readonly<Record<string, keyof Omit<LineColours, 'clears'>>> = {
  mt: 'match',
  ms: 'match',
  fn: 'file',
  ln: 'line',
  se: 'separator',
};

/**
 * The colours of a query's output, by --color, NO_COLOR, TERM=dumb and whether it is a terminal, in this order. A
 * pipe gets uncoloured bytes, even if FORCE_COLOR is set for messages.
 */
export async function lineColours(setting: ColourSetting | undefined): Promise<LineColours | undefined> {
  if (setting === 'never') return undefined;
  const { NO_COLOR, TERM, GREP_COLORS = '' } = process.env;
  if (setting !== 'always' && (NO_COLOR || TERM === 'dumb' || !(await isTerminal(STDOUT)))) return undefined;
  return withChosen(GREP_COLORS);
}

/** The colours with those of GREP_COLORS up to its first invalid entry, as in grep. */
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
