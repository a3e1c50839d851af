import { constants } from 'node:os';
import { BloomError } from './bloom-error.ts';

export { BloomError, type ErrorCode } from './bloom-error.ts';

/**
 * Records that cannot be read, or not to their end: the other inputs are read all the same. What cannot be read of a
 * filter is none, as without its filter no question can be answered.
 */
export class UnreadableInput extends BloomError {
  /** What is shown of a name of which there is no file: it may have been meant as something else. */
  readonly missing: string | undefined;

  constructor(message: string, hint?: string, missing?: string) {
    super('input', message, hint);
    this.name = 'UnreadableInput';
    this.missing = missing;
  }
}

/** A file that could have a filter and has none, so that any key may be in it. */
export class Unfiltered extends BloomError {
  constructor(message: string, hint: string) {
    super('format', message, hint);
    this.name = 'Unfiltered';
  }
}

/** What was kept of a file on a server, and was taken for what it still is, is not: it is gone, and opening it again helps. */
export class OutdatedCopy extends BloomError {
  constructor(message: string, hint: string | undefined) {
    super('input', message, hint);
    this.name = 'OutdatedCopy';
  }
}

/** What a file is read for. */
export type FileRole = 'records' | 'filter';

/** What `work` gives; what it throws becomes the error that `toError` makes of it. */
export function attempt<T>(work: () => T, toError: (cause: unknown) => Error): T {
  try {
    return work();
  } catch (cause) {
    throw toError(cause);
  }
}

/** The error for what the system does not let us read. `name` is that for messages. */
export function cannotRead(content: FileRole, name: string, error: unknown): BloomError {
  const message = `cannot read ${name}: ${causeOf(error)}`;
  const hint = errno(error) === 'EMFILE' ? 'allow more with ulimit -n' : undefined;
  return content === 'records'
    ? new UnreadableInput(message, hint, errno(error) === 'ENOENT' ? name : undefined)
    : new BloomError('input', message, hint);
}

/** The error for a file that is not what it was when it was written. */
export function damaged(name: string, what: string): BloomError {
  return new BloomError('format', `${name} is damaged: ${what}`, 'restore it from a copy, or build it again');
}

/** The reader of our output went away (`| head`): nothing to tell the user, only the end of the work. */
export class ClosedPipe extends Error {
  /** What was not written leaves the rest without use, as of a filter. */
  readonly isLoss: boolean;

  constructor(isLoss: boolean) {
    super();
    this.isLoss = isLoss;
  }
}

/** Any error as one of ours. A system call that failed where nobody expected it is named, and the file if there is one. */
export function asBloomError(error: unknown): BloomError {
  if (error instanceof BloomError) return error;
  if (error instanceof Error && 'syscall' in error && errno(error) !== undefined) {
    const file = 'path' in error ? ` ${printable(String(error.path))}` : '';
    return new BloomError('internal', `cannot ${error.syscall}${file}: ${causeOf(error)}`);
  }
  return new BloomError('internal', `internal error: ${causeOf(error)}`, 'this is a bug in bloom');
}

/** What a value is that a program gave, in a message: "null", "an object". */
export function valueType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const type = Array.isArray(value) ? 'array' : typeof value;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** A value as it may stand in a message: control characters never reach a terminal. */
export function printable(value: string): string {
  return /[\p{Cc}\p{Cf}]/u.test(value) ? JSON.stringify(value).replace(/[\p{Cc}\p{Cf}]/gu, escaped) : value;
}

/** A message without control characters but for newlines, whatever names are in it. */
export function harmless(message: string): string {
  return message.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
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
  ENOLINK: 'the link to the other machine is cut',
  EMULTIHOP: 'the file is on a machine behind another one',
  ENOMEDIUM: 'the drive is empty',
  EMEDIUMTYPE: 'the drive cannot read this medium',
  ENOKEY: 'the key of the encrypted file is missing',
  EKEYEXPIRED: 'the key of the encrypted file has expired',
  EKEYREVOKED: 'the key of the encrypted file was revoked',
  EKEYREJECTED: 'the key of the encrypted file was rejected',
  EHWPOISON: 'the memory of the machine is damaged',
};

/** Errors of Linux that neither libuv nor Node has a name for, by their number in errno(3). */
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

/** The cause of a failed system call in words: ours, or those of libuv, which begin its messages ("EBUSY: resource busy, open"). */
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
  // libuv calls what it has no name for "Unknown system error -122".
  const [, number] = /^Unknown system error -(\d+)$/.exec(error.code) ?? [];
  return number === undefined ? error.code : (nameOf(Number(number)) ?? `system error ${number}`);
}

function nameOf(number: number): string | undefined {
  return Object.entries({ ...OF_LINUX, ...constants.errno }).find(([, other]) => other === number)?.[0];
}
