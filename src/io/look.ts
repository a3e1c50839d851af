import { fstatSync, type Stats, statSync } from 'node:fs';
import { printable } from '../errors.ts';
import { STDIN, STDOUT } from './descriptors.ts';

/** Which file it is, so that one can tell whether a name still means the same. */
export function identityOf(name: string): string | undefined {
  const stat = lookAt(name);
  return stat && `${stat.dev}:${stat.ino}`;
}

/** Which file in which state: it changes when the file is replaced or written to. */
export function stateOf(name: string): string | undefined {
  const stat = lookAt(name);
  return stat && `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}`;
}

/** What an input is, '-' being the standard input; undefined where that cannot be told: opening it will say why. */
export function lookAt(name: string): Stats | undefined {
  try {
    return name === '-' ? fstatSync(STDIN) : statSync(name);
  } catch {
    return undefined;
  }
}

/** Whether an input is the regular file that is written to, by default as the standard output. */
export function isOutput(input: string, output: Stats = fstatSync(STDOUT)): boolean {
  const stat = lookAt(input);
  return output.isFile() && stat?.dev === output.dev && stat.ino === output.ino;
}

/** Whether a name is that of a file on a server. */
export function isUrl(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

/** A name for messages, '-' being the standard input. */
export function displayName(name: string): string {
  if (name === '') return "''";
  return name === '-' ? 'standard input' : printable(withoutSecrets(name));
}

/**
 * A name as it may stand in a log. A URL loses its user name and password, and its query, which may be a signature that lets
 * anybody read the file (such as X-Amz-Signature).
 */
export function withoutSecrets(name: string): string {
  return isUrl(name) ? name.replace(/^(https?:\/\/)[\\/]*[^\\/?#]*@/i, '$1').replace(/\?.+$/s, '?...') : name;
}

/** A name among results: byte for byte or, on a terminal, with control characters escaped, which the terminal would obey. */
export function resultName(name: string, isOnTerminal = false): string {
  return isOnTerminal ? printable(name) : name;
}
