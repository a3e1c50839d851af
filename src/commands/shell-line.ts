// Command lines as messages show them, to be typed in a shell.

import { withoutSecrets } from '../io/look.ts';

/** A command line to type; undefined if it cannot be shown: it has control characters, or a URL with a secret. */
export function tryLine(argv: readonly string[]): string | undefined {
  const line = shellLine(argv);
  return line && `try ${line}`;
}

/** The same without the word "try", to be part of a longer line. */
export function shellLine(argv: readonly string[]): string | undefined {
  if (argv.some((argument) => withUrlsShown(argument, argv) !== argument)) return undefined;
  const line = ['bloom', ...argv].map(quoted).join(' ');
  return /[\p{Cc}\p{Cf}]/u.test(line) ? undefined : line;
}

/** A text with the URLs of a command line as they may stand in messages. */
export function withUrlsShown(text: string, argv: readonly string[]): string {
  return argv.reduce((shown, argument) => {
    // A URL may stand behind the name of a flag, or behind @.
    const url = argument.slice(Math.max(0, argument.search(/https?:\/\//i)));
    return shown.replaceAll(url, withoutSecrets(url));
  }, text);
}

/** An argument, in quotes if it means something to shells. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
