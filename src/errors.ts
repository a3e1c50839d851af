import { constants } from 'node:os';
import { BloomError } from './bloom-error.ts';

export { BloomError, type ErrorCode } from './bloom-error.ts';

/**
 * Records that cannot be read, or not to their end. The other inputs are still read. A filter that cannot be read is
 * not such an error: without the filter no query can be answered.
 */
export class UnreadableInput extends BloomError {
  /** The name for messages if the file does not exist. The user may have meant a flag or a key. */
  readonly missing: string | undefined;

  constructor(message: string, hint?: string, missing?: string) {
    super('input', message, hint);
    this.name = 'UnreadableInput';
    this.missing = missing;
  }
}

/** A file that could contain a filter but does not, so that any key may be present. */
export class Unfiltered extends BloomError {
  constructor(message: string, hint: string) {
    super('format', message, hint);
    this.name = 'Unfiltered';
  }
}

/** The copy of a file on a server is outdated. It was removed, and opening the file again helps. */
export class OutdatedCopy extends BloomError {
  constructor(message: string, hint: string | undefined) {
    super('input', message, hint);
    this.name = 'OutdatedCopy';
  }
}

/** The purpose for which a file is read. */
export type FileRole = 'records' | 'filter';

/** The result of `work`. `toError` converts everything that `work` throws. */
export function attempt<T>(work: () => T, toError: (cause: unknown) => Error): T {
  try {
    return work();
  } catch (cause) {
    throw toError(cause);
  }
}

/** The error for a file that the system cannot read. `name` is the name in messages. */
export function cannotRead(content: FileRole, name: string, error: unknown): BloomError {
  const message = `cannot read ${name}: ${causeOf(error)}`;
  const hint = errno(error) === 'EMFILE' ? 'allow more open files with ulimit -n' : undefined;
  return content === 'records'
    ? new UnreadableInput(message, hint, errno(error) === 'ENOENT' ? name : undefined)
    : new BloomError('input', message, hint);
}

/** The error for a file that has changed since it was written. */
export function damaged(name: string, what: string): BloomError {
  return new BloomError('format', `${name} is damaged: ${what}`, 'restore a copy, or build it again');
}

/** The reader of the output has ended (`| head`). The work ends without a message. */
export class ClosedPipe extends Error {
  /** Whether the output is useless without the missing bytes, as for a filter. */
  readonly isLoss: boolean;

  constructor(isLoss: boolean) {
    super();
    this.isLoss = isLoss;
  }
}

/** Converts any error to a BloomError. A failed system call is named, with its file if there is one. */
export function asBloomError(error: unknown): BloomError {
  if (error instanceof BloomError) return error;
  if (error instanceof Error && 'syscall' in error && errno(error) !== undefined) {
    const file = 'path' in error ? ` ${printable(String(error.path))}` : '';
    return new BloomError('internal', `cannot ${error.syscall}${file}: ${causeOf(error)}`);
  }
  return new BloomError('internal', `internal error: ${causeOf(error)}`, 'this is a bug in bloom');
}

/** The type of a value from a program, for messages: "null", "an object". */
export function valueType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const type = Array.isArray(value) ? 'array' : typeof value;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** A value for messages. Control characters never reach a terminal. */
export function printable(value: string): string {
  return /[\p{Cc}\p{Cf}]/u.test(value) ? JSON.stringify(value).replace(/[\p{Cc}\p{Cf}]/gu, escaped) : value;
}

/** A message without control characters except newlines, whatever names it contains. */
export function harmless(message: string): string {
  return message.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, escaped);
}

/** A character as JSON escapes it: one beyond U+FFFF is two units of UTF-16. */
function escaped(character: string): string {
  return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'is a directory',
  ENOTDIR: 'part of the path is not a directory',
  ENOSPC: 'no space left on the device',
  EFBIG: 'the file would be larger than the limit allows',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files in the system',
  EIO: 'input/output error',
  EEXIST: 'exists already',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
  EDQUOT: 'disk quota exceeded',
  ESTALE: 'the file on the network file system is gone',
  ENOLCK: 'the system has no locks left',
  EDEADLK: 'two processes would wait for each other',
  EBADMSG: 'the file system found bad data',
  EUCLEAN: 'the file system is damaged',
  ENOLINK: 'the link to the other machine is broken',
  EMULTIHOP: 'the file is on a machine behind another one',
  ENOMEDIUM: 'the drive is empty',
  EMEDIUMTYPE: 'the drive cannot read this medium',
  ENOKEY: 'the key of the encrypted file is missing',
  EKEYEXPIRED: 'the key of the encrypted file has expired',
  EKEYREVOKED: 'the key of the encrypted file was revoked',
  EKEYREJECTED: 'the key of the encrypted file was rejected',
  EHWPOISON: 'the memory of the machine is damaged',
};

/** Errors of Linux that libuv and Node do not name, by their numbers in errno(3). */
const OF_LINUX: Readonly<Record<string, number>> = {
  EUCLEAN: 117,
  ENOMEDIUM: 123,
  EMEDIUMTYPE: 124,
  ENOKEY: 126,
  EKEYEXPIRED: 127,
  EKEYREVOKED: 128,
  EKEYREJECTED: 129,
  EHWPOISON: 133,
};

/**
 * The cause of a failed system call in words. The words are bloom's, or libuv's from its message ("EBUSY: resource
 * busy, open").
 */
export function causeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = errno(error);
  if (code === undefined) return message;
  const [, words] = /^[A-Z0-9]+: ([^,]+),/.exec(message) ?? [];
  return CAUSES[code] ?? words ?? code;
}

/** The code of a failed system call, such as ENOENT. */
export function errno(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
  // An error that libuv does not know has the code "Unknown system error -122", or UNKNOWN with its number beside it.
  const [, number] = /^Unknown system error -(\d+)$/.exec(error.code) ?? [];
  if (number !== undefined) return nameOf(Number(number)) ?? `system error ${number}`;
  const isUnknown = error.code === 'UNKNOWN' && 'errno' in error;
  return (isUnknown && nameOf(-Number(error.errno))) || error.code;
}

function nameOf(number: number): string | undefined {
  return Object.entries({ ...OF_LINUX, ...constants.errno }).find(([, other]) => other === number)?.[0];
}
