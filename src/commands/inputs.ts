import { isUtf8 } from 'node:buffer';
import { type InputSlice, rangesIn } from '../engine/input/file-range.ts';
import { type FileInput, fileOf, type Observer, openInput } from '../engine/input/input.ts';
import type { KeySelection } from '../engine/input/key-selection.ts';
import { WHOLE_RECORD } from '../engine/input/record-keys.ts';
import { BloomError, UnreadableInput } from '../errors.ts';
import { STDIN, wasClosed } from '../io/descriptors.ts';
import { displayName, isOutput } from '../io/look.ts';
import { readWhole } from '../io/source.ts';
import type { ListFlags } from '../options/selection.ts';
import { plural } from '../quantities.ts';
import type { Watch } from './watch.ts';

const CLOSED_HINT = 'name a file, or redirect it, with < /dev/null if there is nothing to read';

/**
 * Refuses a command line that would have the standard input read for one thing and again for another, or though it is
 * closed: what nobody gave us must not pass for an empty input.
 */
export function checkStdin(uses: readonly (string | undefined)[]): void {
  const times = uses.filter((name) => name === '-').length;
  if (times > 1) {
    throw new BloomError('usage', 'standard input can be read only once', 'name files for the filters and records');
  }
  if (times > 0 && wasClosed(STDIN))
    throw new BloomError('input', 'cannot read standard input: it seems to be closed', CLOSED_HINT);
}

/**
 * The inputs but for the file that the results go to, which is reported: it would grow while it is read, without an
 * end.
 */
export function withoutOutput(inputs: readonly FileInput[], observer: Observer): readonly FileInput[] {
  return inputs.filter((input) => {
    const name = fileOf(input);
    if (!isOutput(name)) return true;
    const message = `${displayName(name)} is both an input and the output`;
    observer.onUnreadable(new UnreadableInput(message, 'write to another file'), false);
    return false;
  });
}

/** The error where nothing is written for want of inputs, each of which was reported. */
export function unreadInputs(fate: string, watch: Watch): BloomError {
  const what = unreadOf(watch, (inputs) => `${inputs} could not be read`);
  return new BloomError('input', `${fate}: ${what}`, 'mend or drop what is named above');
}

/** The keys that were not read, as those of inputs that could not be, or not to their ends. */
export function unreadKeys(watch: Watch): string {
  return unreadOf(
    watch,
    (inputs, isBegun) => `${isBegun ? 'some of ' : ''}the keys of ${inputs} that could not be read`,
  );
}

/** Of the inputs of which nothing was read, and of those that broke off, what `say` makes of them. */
function unreadOf({ failures, broken }: Watch, say: (inputs: string, isBegun: boolean) => string): string {
  const unread = failures - broken;
  const parts = [
    ...(unread > 0 ? [say(plural(unread, 'input'), false)] : []),
    ...(broken > 0 ? [`${say(plural(broken, 'input'), true)} to ${broken === 1 ? 'its end' : 'their ends'}`] : []),
  ];
  return parts.join(' and ');
}

/**
 * The inputs that a command line names, itself or in lists; `otherwise` if it names none. `filters` are what else is read.
 * Names that cannot be decoded are reported. Throws errors for lists that cannot be read or name nothing, and those of
 * `checkStdin`.
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
      `${lists.map(displayName).join(' and ')} ${lists.length === 1 ? 'names' : 'name'} no files`,
      'without a list, standard input is read',
    );
  for (const name of named) if (typeof name !== 'string') observer.onUnreadable(name, false);
  const inputs = named.length === 0 ? otherwise : named.filter((name) => typeof name === 'string');
  checkStdin([...filters, ...lists, ...new Set(inputs)]);
  return inputs;
}

/** All of these files, or what the slice that is asked for has of them. Throws errors for files that cannot be cut. */
export function cutInputs(
  files: readonly string[],
  slice: InputSlice | undefined,
  selection: KeySelection,
): readonly FileInput[] {
  return slice === undefined ? files : rangesIn(files, slice, selection);
}

/** The names in a list, decoded as those of the command line are; errors in the places of those that cannot be. */
export async function namesIn(list: string, terminator: '\n' | '\0'): Promise<readonly (string | UnreadableInput)[]> {
  const source = await openInput(list, { nullTerminated: terminator === '\0', keys: WHOLE_RECORD });
  // A character for each byte.
  const text = Buffer.from(await readWhole(source).finally(() => source.close())).toString('latin1');
  const hasNul = text.includes('\0');
  if (terminator === '\n' && hasNul)
    throw new BloomError('usage', `the names in ${displayName(list)} end with NUL`, 'give it with --files0-from');
  if (terminator === '\0' && !hasNul && text.includes('\n'))
    throw new BloomError('usage', `the names in ${displayName(list)} end with newlines`, 'give it with --files-from');
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
    'rename the file, or give its records on standard input',
  );
}
