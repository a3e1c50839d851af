import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { attempt, BloomError, type Content, cannotRead } from '../errors.ts';
import { displayName, lookAt } from './look.ts';

/** A regular file that is read at any position. Every thread of the process may: its descriptor is the same for all. */
export interface PositionedFile {
  /** For messages. */
  readonly name: string;
  readonly content: Content;
  readonly fd: number;
  readonly size: number;
}

/** Opens a regular file; undefined for anything that can only be read in order. Throws what `cannotRead` makes. */
export function openPositioned(file: string, content: Content): PositionedFile | undefined {
  // Looked at before it is opened: whoever writes into a pipe would notice that it is opened and closed again.
  if (file === '-' || lookAt(file)?.isFile() === false) return undefined;
  const name = displayName(file);
  const fd = reading({ name, content }, () => openSync(file, 'r'));
  return { name, content, fd, size: reading({ name, content }, () => fstatSync(fd)).size };
}

/** Fills `into` from a position on; returns the bytes read, fewer only at the end of the file. */
export function readAt(file: PositionedFile, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const bytes = reading(file, () => readSync(file.fd, into, done, into.length - done, position + done));
    if (bytes === 0) break;
    done += bytes;
  }
  return done;
}

/** Bytes that tell whose a file is. */
const HEAD_BYTES = 128;
const TAIL_BYTES = 64;

/** The last bytes of a file, behind NULs if it has no more; undefined where they cannot be read, as what comes before may be. */
export function tailOf(file: PositionedFile): Uint8Array | undefined {
  const tail = new Uint8Array(TAIL_BYTES);
  try {
    readAt(file, tail.subarray(Math.max(0, TAIL_BYTES - file.size)), Math.max(0, file.size - TAIL_BYTES));
    return tail;
  } catch (error) {
    if (error instanceof BloomError) return undefined;
    throw error;
  }
}

/**
 * The first bytes of a regular file, and how many it has in all, and the last; undefined for anything that can only be read
 * in order. Throws what `cannotRead` makes.
 */
export function headOf(
  name: string,
  content: Content,
): { head: Uint8Array; size: number; tail: Uint8Array | undefined } | undefined {
  const file = openPositioned(name, content);
  if (file === undefined) return undefined;
  try {
    const head = new Uint8Array(HEAD_BYTES);
    return { head: head.subarray(0, readAt(file, head, 0)), size: file.size, tail: tailOf(file) };
  } finally {
    closePositioned(file);
  }
}

/** When the file was changed last, in seconds since 1970. */
export function modifiedAt(file: PositionedFile): number {
  return reading(file, () => fstatSync(file.fd)).mtimeMs / 1000;
}

/** Closes the file, for all threads. */
export function closePositioned({ fd }: PositionedFile): void {
  closeSync(fd);
}

function reading<T>({ name, content }: Pick<PositionedFile, 'name' | 'content'>, work: () => T): T {
  return attempt(work, (cause) => cannotRead(content, name, cause));
}
