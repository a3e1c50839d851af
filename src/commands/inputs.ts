import { isUtf8 } from 'node:buffer';
import { type Observer, openInput } from '../engine/inputs.ts';
import { BloomError, UnreadableInput } from '../errors.ts';
import { STDIN, wasClosed } from '../io/descriptors.ts';
import { displayName, isOutput } from '../io/look.ts';
import { readWhole } from '../io/source.ts';
import type { ListFlags } from '../options/selection.ts';
import { plural } from '../terminal/quantities.ts';

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
export function withoutOutput(inputs: readonly string[], observer: Observer): readonly string[] {
  return inputs.filter((input) => {
    if (!isOutput(input)) return true;
    const message = `${displayName(input)} is both an input and the output`;
    observer.onUnreadable(new UnreadableInput(message, 'write to another file'));
    return false;
  });
}

/** The error where nothing is written for want of inputs, each of which was reported. */
export function unreadInputs(fate: string, unread: number): BloomError {
  return new BloomError(
    'input',
    `${fate}: ${plural(unread, 'input')} could not be read`,
    'mend or drop what is named above',
  );
}

/**
 * The inputs that a command line names, itself or in lists; `otherwise` if it names none. `filters` are what else is read.
 * Throws errors for lists that cannot be read or name nothing, and those of `checkStdin`.
 */
export async function inputsOf(
  files: readonly string[],
  { filesFrom, files0From }: ListFlags,
  filters: readonly (string | undefined)[] = [],
  otherwise: readonly string[] = ['-'],
): Promise<readonly string[]> {
  const lists = [filesFrom, files0From];
  checkStdin([...filters, ...lists]);
  const named = [files, await namesIn(filesFrom, '\n'), await namesIn(files0From, '\0')].flat();
  const list = filesFrom ?? files0From;
  if (named.length === 0 && list !== undefined)
    throw new BloomError('usage', `${displayName(list)} names no files`, 'without a list, standard input is read');
  const inputs = named.length === 0 ? otherwise : named;
  checkStdin([...filters, ...lists, ...new Set(inputs)]);
  return inputs;
}

/** The names in a list. They are decoded, as those of the command line are. */
async function namesIn(list: string | undefined, terminator: '\n' | '\0'): Promise<readonly string[]> {
  if (list === undefined) return [];
  const source = await openInput(list, { nullTerminated: terminator === '\0', anyToken: false });
  const bytes = await readWhole(source).finally(() => source.close());
  if (!isUtf8(bytes)) {
    throw new BloomError(
      'usage',
      `a name in ${displayName(list)} is not UTF-8`,
      'rename the file, or give its records on standard input',
    );
  }
  const names = Buffer.from(bytes).toString().split(terminator);
  return names.map((name) => (terminator === '\n' ? name.replace(/\r$/, '') : name)).filter((name) => name !== '');
}
