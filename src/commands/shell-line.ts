// Command lines in messages, ready to be typed in a shell.

import { withoutSecrets } from '../io/look.ts';

/**
 * A command line to type. Undefined if it cannot be shown, because it has control characters or a URL with a secret.
 */
export function tryLine(argv: readonly string[]): string | undefined {
  const line = shellLine(argv);
  return line && `try ${line}`;
}

/** The same without the word "try", as part of a longer line. */
export function shellLine(argv: readonly string[]): string | undefined {
  if (argv.some((argument) => withUrlsShown(argument, argv) !== argument)) return undefined;
  const line = ['bloom', ...argv].map(quoted).join(' ');
  return /[\p{Cc}\p{Cf}]/u.test(line) ? undefined : line;
}

/** A text in which the URLs of a command line are replaced by printable forms. */
export function withUrlsShown(text: string, argv: readonly string[]): string {
  return argv.reduce((shown, argument) => {
    // A URL may follow the name of a flag, or @.
    const url = argument.slice(Math.max(0, argument.search(/https?:\/\//i)));
    return shown.replaceAll(url, withoutSecrets(url));
  }, text);
}

/** An argument, quoted if it has characters that shells interpret. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
