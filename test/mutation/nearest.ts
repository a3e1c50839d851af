// The test files that are most likely to notice a mistake in a source.

import { basename, dirname } from 'node:path';

/** Folders of the sources whose tests run the command. */
const AT_THE_COMMAND_LINE = ['commands', 'io', 'options', 'terminal'];

/** The test folders near a source file. */
function foldersOf(file: string): string[] {
  const [, folder = ''] = file.split('/');
  if (folder === 'cli.ts' || folder === 'command-line.ts') return ['test/cli'];
  if (AT_THE_COMMAND_LINE.includes(folder)) return [`test/${folder}`, 'test/cli'];
  // Half of each kind of filter is in the kernel.
  return folder === 'kernel' ? ['test/kernel', 'test/filters'] : [`test/${folder}`];
}

/** How many seconds longer a near test file may take, and still run before a farther one. */
const [NAMESAKE, NEAR] = [30, 3];

/** Test files in the order in which they run: quicker files first, and among equal ones the nearer files. */
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
