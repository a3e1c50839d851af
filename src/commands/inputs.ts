import type { Observer } from '../engine/inputs.ts';
import { BloomError, UnreadableInput } from '../errors.ts';
import { STDIN, wasClosed } from '../io/descriptors.ts';
import { displayName, isOutput } from '../io/look.ts';
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

/** The inputs that a command line names: the standard input if it names none. */
export function inputsOf(files: readonly string[]): readonly string[] {
  return files.length === 0 ? ['-'] : files;
}
