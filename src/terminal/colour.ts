import { isTerminal } from '../io/terminal.ts';

/** The value of --color. */
export type ColourSetting = 'auto' | 'always' | 'never';

/** Paints a text in a colour. */
export type Paint = (text: string) => string;
export interface Palette {
  readonly good: Paint;
  readonly bad: Paint;
  readonly strong: Paint;
  readonly faint: Paint;
}

const PLAIN: Palette = { good: (text) => text, bad: (text) => text, strong: (text) => text, faint: (text) => text };

/**
 * Whether text for a descriptor is coloured. These decide, in order: --color, NO_COLOR, FORCE_COLOR, TERM=dumb, the
 * terminal.
 */
export async function isColoured(fd: number | undefined, setting: ColourSetting | undefined): Promise<boolean> {
  if (setting === 'always' || setting === 'never') return setting === 'always';
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return !['0', 'false'].includes(FORCE_COLOR);
  return TERM !== 'dumb' && fd !== undefined && (await isTerminal(fd));
}

/**
 * The colours for a descriptor, or for a file that is not open yet. chalk must not decide: it ignores NO_COLOR on a
 * terminal. Each function has one parameter, because chalk prints all its arguments and `map` passes three.
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
