import { meansFilters } from '../commands/filter-files.ts';
import { SEE_ABOVE } from '../commands/inputs.ts';
import { SEPARATOR, WITHOUT_F } from '../commands/query-options.ts';
import { quoted, shellLine, tryLine } from '../commands/shell-line.ts';
import type { BloomError } from '../errors.ts';
import { isUrl, lookAt } from '../io/look.ts';
import { namesLike } from '../io/patterns.ts';
import { stepAfterCase, stepAfterTakenFlag } from './flags.ts';
import { type MistakenLine, namedAfter, newNamedAfter, withReplaced } from './line.ts';
import { isNear } from './values.ts';

/** What to type if a file does not exist, or is not a filter. */
export async function stepAfterFile({ message }: BloomError, line: MistakenLine): Promise<string | undefined> {
  const { command, argv, operands } = line;
  const [first = '', second] = operands;
  const taken = stepAfterTakenFlag(line);
  if (taken !== undefined) return taken;
  if (command === 'query' && message.endsWith(WITHOUT_F)) return stepWithFilters(line);
  if (message.endsWith('but a text file of records is expected here')) return stepWithFilterForRecords(line);
  if (message.startsWith('no output is named')) return stepAfterMerge(line);
  if (message.endsWith(`: 1 input could not be read ${SEE_ABOVE}`))
    return stepAfterCase(line) ?? stepWithFolder(line) ?? stepWithKeys(line) ?? stepAfterMisspelled(line);
  const [, folder] = /^cannot write .*: there is no folder (.*)$/.exec(message) ?? [];
  if (folder !== undefined) return stepWithNewFolder(folder, argv);
  if (/^cannot read file:\/\/\//.test(message)) return tryLine(argv.map(withoutScheme));
  if (command === 'query') {
    const step = stepAfterSeparator(message, argv);
    if (step !== undefined) return step;
  }
  if (command === 'stats' && message === `cannot read ${first}: is a directory`) return stepInFolder(line);
  if (command === 'dedup') return stepAfterState(message, line);
  if (!['query', 'add', 'remove', 'stats'].includes(command ?? '')) return undefined;
  if (message === `cannot read ${first}: no such file or folder`) {
    if (first === 'help') return tryLine([command ?? '', '--help']);
    const step = command === 'query' ? await stepAfterMissing(line) : stepAfterUnmade(line);
    return step ?? stepAfterMisspelled(line);
  }
  // No command reads records from a server.
  if (isUrl(first) || !message.startsWith(`${first} is not a filter of bloom`)) return undefined;
  if (second?.endsWith('.bloom')) return tryLine(swapped(argv, first, second));
  const filter = namedAfter(first);
  return tryLine(lookAt(filter)?.isFile() ? swapped(argv, first, filter) : ['build', first, '-o', filter]);
}

/**
 * A query whose filter does not exist. The arguments may be swapped. If the first one does not have the name of a filter, it may be a key.
 */
async function stepAfterMissing({ argv, operands }: MistakenLine): Promise<string | undefined> {
  const [first = '', second] = operands;
  if (first.endsWith('.bloom') || second === undefined || !(await meansFilters(second))) return undefined;
  return tryLine(
    argv.flatMap((argument) => (argument === first ? [second, '-e', first] : argument === second ? [] : [argument])),
  );
}

/** A file that does not exist, but one beside it has almost the same name. Short names have too many others beside them. */
function stepAfterMisspelled({ argv, operands }: MistakenLine): string | undefined {
  const missing = operands.find((operand) => lookAt(operand) === undefined) ?? '';
  const [, folder = '', name] = /^(.*\/)?([^/]{4,})$/.exec(missing) ?? [];
  if (name === undefined) return undefined;
  const near = namesLike(`${folder}*`).find((other) => isNear(name, other.slice(folder.length)));
  return near && tryLine(withReplaced(argv, missing, near));
}

/** A filter instead of records. A query can have several filters; other commands cannot read filters there. */
async function stepWithFilterForRecords(line: MistakenLine): Promise<string | undefined> {
  const { command, operands } = line;
  if (command === 'query') return stepWithFilters(line, 1);
  const [filter] = operands.filter((operand) => lookAt(operand)?.isFile());
  return command === 'count' && filter !== undefined ? tryLine(['stats', filter]) : undefined;
}

/** A query with -F before each argument that can only be a filter, except the `first` ones. */
async function stepWithFilters({ argv, operands }: MistakenLine, first = 0): Promise<string | undefined> {
  const filters: string[] = [];
  for (const operand of operands.slice(first)) if (await meansFilters(operand)) filters.push(operand);
  if (filters.length === 0) return undefined;
  return tryLine(argv.flatMap((argument) => (filters.includes(argument) ? ['-F', argument] : [argument])));
}

/** A merge without -o: the last argument is the output if no such file exists. */
function stepAfterMerge({ argv, operands }: MistakenLine): string | undefined {
  const last = operands.at(-1);
  if (last === undefined || operands.length < 2 || last === '-' || lookAt(last) !== undefined)
    return tryLine([...argv, '-o', newNamedAfter('merged')]);
  return tryLine([...argv.filter((argument) => argument !== last), '-o', last]);
}

/** A command line with a folder among its inputs. */
function stepWithFolder({ argv, operands, known }: MistakenLine): string | undefined {
  const folder = operands.find((operand) => lookAt(operand)?.isDirectory() === true);
  if (folder === undefined || !known.has('--files0-from')) return undefined;
  const others = shellLine([...argv.filter((argument) => argument !== folder), '--files0-from', '-']);
  return others && `try find ${quoted(folder)} -type f -print0 | ${others}`;
}

/** Keys instead of files, for a filter that exists. */
function stepWithKeys({ command, argv, operands: [, ...files] }: MistakenLine): string | undefined {
  if (command !== 'add' && command !== 'remove') return undefined;
  const keys = files.filter((file) => lookAt(file) === undefined);
  if (keys.length === 0) return undefined;
  return tryLine(argv.flatMap((argument) => (keys.includes(argument) ? ['-e', argument] : [argument])));
}

/** An output in a folder that does not exist. */
function stepWithNewFolder(folder: string, argv: readonly string[]): string | undefined {
  const line = shellLine(argv);
  return line && `try mkdir -p ${quoted(folder)} && ${line}`;
}

/** A URL of a local file without its scheme. */
function withoutScheme(argument: string): string {
  return argument.replace(/^file:\/\/(?=\/)/, '');
}

/** A query with a separator of fields after -F, as in awk. */
function stepAfterSeparator(message: string, argv: readonly string[]): string | undefined {
  const [, separator = ''] = /^cannot read (.*): no such file or folder$/.exec(message) ?? [];
  if (!SEPARATOR.test(separator)) return undefined;
  return tryLine(
    argv.flatMap((argument, i) => {
      if (argument === `-F${separator}`) return ['-d', separator];
      return argument === '-F' && argv[i + 1] === separator ? ['-d'] : [argument];
    }),
  );
}

/** A folder. stats needs the names of filters. */
function stepInFolder({ argv, operands: [folder = ''] }: MistakenLine): string | undefined {
  const line = shellLine(argv.filter((argument) => argument !== folder));
  return line && `try find ${quoted(folder)} -name '*.bloom' -exec ${line} {} +`;
}

/** A filter that add or remove is to change, but that does not exist. */
function stepAfterUnmade({ command, argv, operands: [filter = '', ...files] }: MistakenLine): string | undefined {
  if (command !== 'add') return undefined;
  const keys = argv.flatMap((argument, i) => (argv[i - 1] === '-e' ? ['-e', argument] : []));
  return tryLine(['build', ...keys, ...files, '-o', filter]);
}

/** A state that is not a filter: it is likely to be an input. */
function stepAfterState(message: string, { argv }: MistakenLine): string | undefined {
  const [, file = ''] = /^(.*) is not a filter of bloom/.exec(message) ?? [];
  const at = argv.findIndex((argument) => argument === file || argument === `--state=${file}`);
  if (at < 0) return undefined;
  const others = argv.filter((argument, i) => i !== at && argument !== '--state');
  return tryLine([...others, '--state', newNamedAfter(file), file]);
}

/** The arguments with two of them swapped. */
function swapped(argv: readonly string[], one: string, other: string): string[] {
  return argv.map((argument) => (argument === one ? other : argument === other ? one : argument));
}
