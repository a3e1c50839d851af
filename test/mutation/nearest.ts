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

/**
 * Test files in the order in which they are asked: those of the same name, then the rest of their folders, then all others; the quicker ones first.
 */
export function nearestFirst(file: string, tests: ReadonlyMap<string, number>): string[] {
  const folders = foldersOf(file);
  const name = basename(file, '.ts');
  const isNamesake = (test: string) => basename(test).startsWith(`${name}.`);
  const rank = (test: string) => {
    const isNear = folders.some((folder) => `${dirname(test)}/`.startsWith(`${folder}/`));
    if (isNear && isNamesake(test)) return 0;
    return isNear ? 1 : 2;
  };
  return [...tests]
    .sort(([a, secondsA], [b, secondsB]) => rank(a) - rank(b) || secondsA - secondsB)
    .map(([test]) => test);
}
