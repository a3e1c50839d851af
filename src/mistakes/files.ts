import { meansFilters } from '../commands/filter-files.ts';
import { WITHOUT_F } from '../commands/query-options.ts';
import type { BloomError } from '../errors.ts';
import { lookAt } from '../io/look.ts';
import { type MistakenLine, namedAfter, newNamedAfter, quoted, tryLine } from './line.ts';

/** What to type where a file is not there, or no filter. */
export async function stepAfterFile({ message }: BloomError, line: MistakenLine): Promise<string | undefined> {
  const { command, argv, operands } = line;
  const [first = '', second] = operands;
  if (command === 'query' && message.endsWith(WITHOUT_F)) return stepWithFilters(line);
  if (command === 'query' && message.endsWith(', where records are read')) return stepWithFilters(line, 1);
  if (message.startsWith('no output is named')) return tryLine([...argv, '-o', newNamedAfter('merged')]);
  if (/: 1 input could not be read$/.test(message)) return stepWithFolder(line);
  if (command === 'dedup') return stepAfterState(message, line);
  if (!['query', 'add', 'remove', 'stats'].includes(command ?? '')) return undefined;
  if (message === `cannot read ${first}: no such file or folder`) {
    if (first === 'help') return tryLine([command ?? '', '--help']);
    return command === 'query' ? stepAfterMissing(line) : stepAfterUnmade(line);
  }
  if (!message.startsWith(`${first} is not a filter of bloom`)) return undefined;
  if (second?.endsWith('.bloom')) return tryLine(swapped(argv, first, second));
  const filter = namedAfter(first);
  return tryLine(lookAt(filter)?.isFile() ? swapped(argv, first, filter) : ['build', first, '-o', filter]);
}

/** A query of no filter: the arguments may be in the wrong order, or the first one a key, unless it is called as filters are. */
function stepAfterMissing({ argv, operands }: MistakenLine): string | undefined {
  const [first = '', second] = operands;
  if (first.endsWith('.bloom') || second === undefined || lookAt(second)?.isFile() !== true) return undefined;
  return tryLine(
    argv.flatMap((argument) => (argument === first ? [second, '-e', first] : argument === second ? [] : [argument])),
  );
}

/** A query with -F before each argument that can only be filters, but for those that come `first`. */
async function stepWithFilters({ argv, operands }: MistakenLine, first = 0): Promise<string | undefined> {
  const filters: string[] = [];
  for (const operand of operands.slice(first)) if (await meansFilters(operand)) filters.push(operand);
  if (filters.length === 0) return undefined;
  return tryLine(argv.flatMap((argument) => (filters.includes(argument) ? ['-F', argument] : [argument])));
}

/** Inputs of which one is a folder. */
function stepWithFolder({ argv, operands, known }: MistakenLine): string | undefined {
  const folder = operands.find((operand) => lookAt(operand)?.isDirectory() === true);
  if (folder === undefined || !known.has('--files0-from')) return undefined;
  const others = tryLine([...argv.filter((argument) => argument !== folder), '--files0-from', '-']);
  return others?.replace(/^try /, `try find ${quoted(folder)} -type f -print0 | `);
}

/** A filter that is to be added to, but has not been made. */
function stepAfterUnmade({ command, operands: [filter = '', ...files] }: MistakenLine): string | undefined {
  return command === 'add' ? tryLine(['build', ...files, '-o', filter]) : undefined;
}

/** A state that is no filter: it is likely to be an input. */
function stepAfterState(message: string, { argv }: MistakenLine): string | undefined {
  const [, file = ''] = /^(.*) is not a filter of bloom/.exec(message) ?? [];
  const at = argv.findIndex((argument) => argument === file || argument === `--state=${file}`);
  if (at < 0) return undefined;
  const others = argv.filter((argument, i) => i !== at && argument !== '--state');
  return tryLine([...others, '--state', newNamedAfter(file), file]);
}

/** The arguments with two of them in each other's place. */
function swapped(argv: readonly string[], one: string, other: string): string[] {
  return argv.map((argument) => (argument === one ? other : argument === other ? one : argument));
}
