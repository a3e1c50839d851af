import { type Stats, statSync } from 'node:fs';
import { printable } from '../errors.ts';
import { STDIN, STDOUT, statOf } from './descriptors.ts';

/** The identity of a file, which shows whether a name still means the same file. */
export function identityOf(name: string): string | undefined {
  const stat = lookAt(name);
  return stat && identityIn(stat);
}

/** The identity of the file in this state. */
export function identityIn({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

/** The identity and state of a file. The string changes when the file is replaced or written to. */
export function stateOf(name: string): string | undefined {
  const stat = lookAt(name);
  return stat && `${identityIn(stat)}:${stat.size}:${stat.mtimeMs}`;
}

/**
 * The state of an input; '-' is the standard input. Undefined if the system does not tell; opening the file gives the
 * reason.
 */
export function lookAt(name: string): Stats | undefined {
  try {
    return name === '-' ? statOf(STDIN) : statSync(name);
  } catch {
    return undefined;
  }
}

/** Whether an input is the regular file that is written to, which is the standard output by default. */
export function isOutput(input: string, output: Stats | undefined = statOf(STDOUT)): boolean {
  const stat = output?.isFile() ? lookAt(input) : undefined;
  return output !== undefined && stat !== undefined && identityIn(stat) === identityIn(output);
}

/** Whether a name is a URL. */
export function isUrl(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

/** Whether a name is that of an object in Amazon S3 or Google Cloud Storage, which only their programs understand. */
export function isObjectName(name: string): boolean {
  return /^(s3|gs):\/\//i.test(name);
}

/** A name for messages; '-' is the standard input. */
export function displayName(name: string): string {
  if (name === '') return "''";
  return name === '-' ? 'standard input' : printable(withoutSecrets(name));
}

/**
 * A name without secrets, for logs. A URL loses its user name and password. It also loses its query, which may be a
 * signature that lets everybody read the file (such as X-Amz-Signature).
 */
export function withoutSecrets(name: string): string {
  return isUrl(name) ? name.replace(/^(https?:\/\/)[\\/]*[^\\/?#]*@/i, '$1').replace(/\?.+$/s, '?...') : name;
}

/**
 * A name in results: byte for byte, or on a terminal with its control characters escaped, which the terminal would
 * obey.
 */
export function resultName(name: string, isOnTerminal = false): string {
  return isOnTerminal ? printable(name) : name;
}
