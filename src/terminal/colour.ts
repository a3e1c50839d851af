import { isTerminal } from '../io/terminal.ts';

/** The value of --color. */
export type ColourSetting = 'auto' | 'always' | 'never';

/** What text can be painted as. */
export type Paint = (text: string) => string;
export interface Palette {
  readonly good: Paint;
  readonly bad: Paint;
  readonly strong: Paint;
  readonly faint: Paint;
}

const PLAIN: Palette = { good: (text) => text, bad: (text) => text, strong: (text) => text, faint: (text) => text };

/**
 * Whether text that goes to a descriptor is coloured: --color, NO_COLOR, FORCE_COLOR, TERM=dumb, a terminal, in this
 * order.
 */
export async function isColoured(fd: number | undefined, setting: ColourSetting | undefined): Promise<boolean> {
  if (setting === 'always' || setting === 'never') return setting === 'always';
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return !['0', 'false'].includes(FORCE_COLOR);
  return TERM !== 'dumb' && fd !== undefined && (await isTerminal(fd));
}

/**
 * The colours for a descriptor, or for a file that is not open yet. chalk decides nothing: it would ignore NO_COLOR on a terminal. Each
 * colour has one parameter, because chalk prints all of its arguments, and `map` gives a function three.
 */
export async function palette(fd: number | undefined, setting: ColourSetting | undefined): Promise<Palette> {
  if (!(await isColoured(fd, setting))) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    good: (text) => chalk.green(text),
    bad: (text) => chalk.red(text),
    strong: (text) => chalk.bold(text),
    faint: (text) => chalk.dim(text),
  };
}
