import { createMeter } from '../engine/input/progress.ts';
import type { Contents } from '../engine/store/contents.ts';
import { BloomError, printable } from '../errors.ts';
import type { Fill } from '../filters/kind.ts';
import type { Description } from '../formats/description.ts';
import type { Output } from '../io/atomic-file.ts';
import { lookAt } from '../io/look.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { unreadInputs } from './inputs.ts';
import type { Watch } from './watch.ts';

/** The name of an output for messages. '-' is the standard output. */
export function displayOutput(name: string): string {
  return name === '-' ? 'standard output' : printable(name);
}

/** Throws a `usage` error if the output and its JSON summary would be mixed. */
export function refuseMixedOutput(name: string, json: boolean, what = 'filter'): void {
  if (!json || name !== '-') return;
  throw new BloomError(
    'usage',
    `the ${what} and --json cannot both go to standard output`,
    'name a file with -o, or leave out --json',
  );
}

/** Throws an error if an incomplete result would replace a complete file. With `always`, also if there is no file. */
export function refuseIncomplete(watch: Watch, output: Output, always: boolean): void {
  if (watch.failures === 0) return;
  const replaces = output.name !== '-' && lookAt(output.name)?.isFile() === true;
  if (!always && !replaces) return;
  throw unreadInputs(replaces ? `${printable(output.name)} was left as it was` : 'nothing was written', watch);
}

/**
 * Writes a filter and shows progress. In a pipe there is no progress, because the reader may print and finish first.
 */
export async function writeWatched(
  watch: Watch,
  output: Output,
  kernel: Kernel,
  { description, contents, fill }: WrittenFilter,
): Promise<void> {
  if (output.name !== '-') watch.begin('writing');
  const onWritten = createMeter(contents.bytes(description), watch);
  await contents.write(output, kernel, description, fill, onWritten).finally(watch.finish);
}

/** A filter in memory, its description and its fill. */
export interface WrittenFilter {
  readonly description: Description;
  readonly contents: Contents;
  readonly fill: readonly Fill[];
}
