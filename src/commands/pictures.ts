import { BloomError } from '../errors.ts';
import { checkOutput, type Output, writeOutput } from '../io/atomic-file.ts';
import { STDOUT } from '../io/descriptors.ts';
import { displayName, lookAt } from '../io/look.ts';
import { headOf } from '../io/positioned.ts';
import { print } from '../io/sink.ts';
import { outputWidth } from '../io/terminal.ts';
import type { Plot } from '../plots/plot.ts';
import { palette } from '../terminal/colour.ts';
import type { CommonFlags } from './command.ts';

/** The flags of commands that draw. */
export interface PictureFlags {
  readonly plot?: true;
  readonly svg?: string;
}

/** The destinations of pictures. */
export interface Pictures {
  /** Whether they are drawn in characters, below the rest of the output. */
  readonly areText: boolean;
  /** The SVG file. */
  readonly svg: Output | undefined;
}

/** The pictures that flags request. Undefined if there are none. */
export function picturesOf({ plot, svg }: PictureFlags): Pictures | undefined {
  if (!plot && svg === undefined) return undefined;
  return { areText: plot === true, svg: svg === undefined ? undefined : { name: svg, replace: true, isText: true } };
}

/** Refuses an output that cannot be written, and an existing file that is not a picture, before any work. */
export async function checkPictures({ svg }: Pictures, inputs: readonly string[]): Promise<void> {
  if (svg === undefined || svg.name === '-') return;
  await checkOutput(svg, inputs);
  const head = lookAt(svg.name)?.isFile() ? headOf(svg.name, 'records') : undefined;
  if (head === undefined || head.size === 0 || Buffer.from(head.head).toString('latin1').startsWith('<svg')) return;
  throw new BloomError(
    'output',
    `${displayName(svg.name)} is not an earlier picture`,
    'name another file, or remove it',
  );
}

/** Columns if the width is unknown. */
const DEFAULT_COLUMNS = 80;

/** Draws plots. */
export async function draw(
  plots: readonly Plot[],
  { areText, svg }: Pictures,
  colour: CommonFlags['color'],
): Promise<void> {
  if (areText) {
    const { plotText } = await import('../plots/text.ts');
    const columns = (await outputWidth()) ?? DEFAULT_COLUMNS;
    const painting = await palette(STDOUT, colour);
    for (const plot of plots) print(`\n${plotText(plot, columns, painting)}`);
  }
  if (svg === undefined) return;
  const { plotsSvg } = await import('../plots/svg.ts');
  await writeOutput(svg, (append) => append(Buffer.from(plotsSvg(plots))));
}
