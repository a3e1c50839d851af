// Which test files are likeliest to notice a mistake in a source.

import { basename, dirname } from 'node:path';

/** Folders of the sources whose tests run the command. */
const AT_THE_COMMAND_LINE = ['commands', 'io', 'options', 'terminal'];

/** The folders whose tests are near to those of a file. */
function foldersOf(file: string): string[] {
  const [, folder = ''] = file.split('/');
  if (folder === 'cli.ts' || folder === 'command-line.ts') return ['test/cli'];
  if (AT_THE_COMMAND_LINE.includes(folder)) return [`test/${folder}`, 'test/cli'];
  // The kinds of filters are half in the kernel.
  return folder === 'kernel' ? ['test/kernel', 'test/filters'] : [`test/${folder}`];
}

/** How many seconds longer a test file may take, to be run first, than one that is farther off. */
const [NAMESAKE, NEAR] = [30, 3];

/** Test files in the order in which they run: the quicker ones first, and of equal ones those nearer to the source. */
export function nearestFirst(file: string, tests: ReadonlyMap<string, number>): string[] {
  const folders = foldersOf(file);
  const name = basename(file, '.ts');
  const delay = (test: string) => {
    if (!folders.some((folder) => `${dirname(test)}/`.startsWith(`${folder}/`))) return 0;
    return basename(test).startsWith(`${name}.`) ? NAMESAKE : NEAR;
  };
  return [...tests]
    .map(([test, seconds]) => ({ test, rank: seconds - delay(test) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ test }) => test);
}
