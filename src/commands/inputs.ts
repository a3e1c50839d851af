import { isUtf8 } from 'node:buffer';
import { type InputSlice, rangesIn } from '../engine/input/file-range.ts';
import {
  type FileInput,
  fileOf,
  type GivenRecords,
  type Input,
  type Observer,
  openInput,
} from '../engine/input/input.ts';
import { type KeySelection, LF, terminatorOf } from '../engine/input/key-selection.ts';
import { WHOLE_RECORD } from '../engine/input/record-keys.ts';
import { BloomError, UnreadableInput } from '../errors.ts';
import { STDIN, wasClosed } from '../io/descriptors.ts';
import { displayName, isOutput, lookAt } from '../io/look.ts';
import { closePositioned, openPositioned, readAt } from '../io/positioned.ts';
import { readWhole } from '../io/source.ts';
import { isTerminal } from '../io/terminal.ts';
import type { InputOptions, ListFlags } from '../options/selection.ts';
import { agreeing, plural } from '../quantities.ts';
import type { Messenger } from '../terminal/messages.ts';
import type { Watch } from './watch.ts';

const CLOSED_HINT = 'name a file, or redirect it; with < /dev/null nothing is read';

/**
 * Throws a `usage` error if the standard input would be read for two purposes, or if it is closed. A closed standard
 * input must not count as an empty input.
 */
export function checkStdin(uses: readonly (string | undefined)[]): void {
  const times = uses.filter((name) => name === '-').length;
  if (times > 1) {
    throw new BloomError('usage', 'standard input can be read only once', 'name files instead');
  }
  if (times > 0 && wasClosed(STDIN))
    throw new BloomError('input', 'cannot read standard input: it seems to be closed', CLOSED_HINT);
}

/** The inputs without the output file, which is reported as an error. It would grow while it is read, without end. */
export function withoutOutput(inputs: readonly FileInput[], observer: Observer): readonly FileInput[] {
  return inputs.filter((input) => {
    const name = fileOf(input);
    if (!isOutput(name)) return true;
    const message = `${displayName(name)} is both an input and the output`;
    observer.onUnreadable(new UnreadableInput(message, 'write to another file'), false);
    return false;
  });
}

/** Refers to earlier messages with the names of inputs. */
export const SEE_ABOVE = '(see above)';

/** The error if nothing is written because inputs could not be read. Each of them was reported before. */
export function unreadInputs(fate: string, { failures, broken }: Watch): BloomError {
  const parts = counted(failures, broken, (inputs, end) => `${inputs} could not be read${end}`);
  return new BloomError('input', `${fate}: ${parts} ${SEE_ABOVE}`, 'fix it or leave it out');
}

/** The keys that were not read: all keys of unreadable inputs, and some keys of inputs that broke off. */
export function unreadKeys({ failures, broken }: Watch): string {
  return counted(failures, broken, (inputs, end) => {
    const some = end === '' ? '' : 'some of ';
    return `${some}the keys of ${inputs} that could not be read${end}`;
  });
}

/** Calls `say` for the inputs that were not read at all, and for those that broke off. */
function counted(failures: number, broken: number, say: (inputs: string, end: string) => string): string {
  const unread = failures - broken;
  const parts = [
    ...(unread > 0 ? [say(plural(unread, 'input'), '')] : []),
    ...(broken > 0 ? [say(plural(broken, 'input'), ' to the end')] : []),
  ];
  return parts.join(' and ');
}

/**
 * The inputs that a command line names, directly or in lists; `otherwise` if it names none. `filters` are other files that are read. Names
 * that cannot be decoded are reported. Throws errors for lists that cannot be read or are empty, and those of `checkStdin`.
 */
export async function inputsOf(
  files: readonly string[],
  { filesFrom = [], files0From = [] }: ListFlags,
  observer: Observer,
  filters: readonly (string | undefined)[] = [],
  otherwise: readonly string[] = ['-'],
): Promise<readonly string[]> {
  const lists = [...filesFrom, ...files0From];
  checkStdin([...filters, ...lists]);
  const listed = await Promise.all([
    ...filesFrom.map((list) => namesIn(list, '\n')),
    ...files0From.map((list) => namesIn(list, '\0')),
  ]);
  const named = [...files, ...listed.flat()];
  if (named.length === 0 && lists.length > 0)
    throw new BloomError(
      'usage',
      `${lists.map(displayName).join(' and ')} ${agreeing(lists.length, 'names')} no files`,
      'without a list, bloom reads standard input',
    );
  for (const name of named) if (typeof name !== 'string') observer.onUnreadable(name, false);
  const inputs = named.length === 0 ? otherwise : named.filter((name) => typeof name === 'string');
  checkStdin([...filters, ...lists, ...new Set(inputs)]);
  return inputs;
}

/** All of these files, or the requested slice of them. Throws errors for files that cannot be cut. */
export function cutInputs(
  files: readonly string[],
  slice: InputSlice | undefined,
  selection: KeySelection,
): readonly FileInput[] {
  return slice === undefined ? files : rangesIn(files, slice, selection);
}

/** Keys of the command line as records with their terminators. `name` is printed as the name of their file. */
export function recordsOfKeys(keys: readonly string[], selection: KeySelection, name?: string): GivenRecords {
  const terminator = String.fromCharCode(terminatorOf(selection));
  return { records: Buffer.from(keys.map((key) => key + terminator).join('')), name };
}

/** The first bytes of a file. A record is likely to end among them. */
const FIRST_BYTES = 2 ** 16;

/** Warns about surprising inputs before they are read. */
export async function remarkOnInputs(
  names: readonly string[],
  { nullTerminated, raw }: KeySelection,
  say: Messenger,
): Promise<void> {
  if (names.includes('-') && (await isTerminal(STDIN)))
    say.note('reading records from the terminal, one per line; Ctrl-D at the start of a line ends them');
  if (nullTerminated && !raw) warnOfLines(names, say);
}

/** Warns about a text file that -0 would read as a single record. In grep, --null is another flag. */
function warnOfLines(names: readonly string[], say: Messenger): void {
  const name = names.find(hasOnlyLines);
  if (name === undefined) return;
  say.warning(
    `${displayName(name)} has newlines but no NUL, so -0 (--null) reads it as one record; leave out -0, or use -Z to end file names with NUL`,
  );
}

function hasOnlyLines(name: string): boolean {
  if (lookAt(name)?.isFile() !== true) return false;
  const file = attemptQuietly(() => openPositioned(name, 'records'));
  if (file === undefined) return false;
  const bytes = Buffer.alloc(FIRST_BYTES);
  const head = bytes.subarray(0, attemptQuietly(() => readAt(file, bytes, 0)) ?? 0);
  closePositioned(file);
  return head.includes(LF) && !head.includes(0);
}

/** The result of `work`. Undefined if the file cannot be read, which is reported later. */
function attemptQuietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnreadableInput) return undefined;
    throw error;
  }
}

/** The input if no file is named: the standard input, unless keys replace it. */
export function standardInputWithout(keys: readonly string[] | undefined): readonly string[] {
  return keys === undefined ? ['-'] : [];
}

/** The inputs of a command that adds or removes keys: the keys of the command line, then the files or their slice. */
export function inputsWithKeys(
  keys: readonly string[] | undefined,
  files: readonly string[],
  { slice, selection }: Pick<InputOptions, 'slice' | 'selection'>,
): readonly Input[] {
  const given = keys === undefined ? [] : [recordsOfKeys(keys, selection)];
  return [...given, ...cutInputs(files, slice, selection)];
}

/** The names in a list, decoded like those of the command line. A name that cannot be decoded becomes an error. */
export async function namesIn(list: string, terminator: '\n' | '\0'): Promise<readonly (string | UnreadableInput)[]> {
  const source = await openInput(list, { nullTerminated: terminator === '\0', keys: WHOLE_RECORD });
  // latin1 keeps each byte as one character.
  const text = Buffer.from(await readWhole(source).finally(() => source.close())).toString('latin1');
  const hasNul = text.includes('\0');
  if (terminator === '\n' && hasNul)
    throw new BloomError('usage', `the names in ${displayName(list)} end with NUL`, 'use --files0-from');
  if (terminator === '\0' && !hasNul && text.includes('\n'))
    throw new BloomError('usage', `the names in ${displayName(list)} end with newlines`, 'use --files-from');
  return text.split(terminator).flatMap((line, i) => {
    const name = Buffer.from(terminator === '\n' ? line.replace(/\r$/, '') : line, 'latin1');
    if (name.length === 0) return [];
    return [isUtf8(name) ? name.toString() : undecodableName(name, i + 1, list)];
  });
}

function undecodableName(name: Buffer, number: number, list: string): UnreadableInput {
  const shown = name
    .toString('latin1')
    .replace(/[^ -~]/g, (byte) => `\\x${Buffer.from(byte, 'latin1').toString('hex')}`);
  return new UnreadableInput(
    `cannot read ${shown}: name ${number} in ${displayName(list)} is not UTF-8`,
    'rename the file, or pipe its records into standard input',
  );
}
