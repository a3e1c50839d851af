import { fstatSync, openSync } from 'node:fs';
import { attempt, BloomError, cannotRead, type FileRole } from '../errors.ts';
import { closeQuietly, readLater, readNow } from './descriptors.ts';
import { displayName, lookAt } from './look.ts';
import { type Channel, keepRemote, readRemote } from './remote/channel.ts';

/** A file that is read at any position. Every thread of the process may: its handle is the same for all. */
export interface PositionedFile {
  /** For messages. */
  readonly name: string;
  readonly content: FileRole;
  /** The descriptor of a regular file, or the way to the thread that asks a server for parts of one. */
  readonly handle: number | Channel;
  readonly size: number;
}

/** Opens a regular file; undefined for anything that can only be read in order. Throws what `cannotRead` makes. */
export function openPositioned(file: string, content: FileRole): PositionedFile | undefined {
  // Looked at before it is opened: whoever writes into a pipe would notice that it is opened and closed again.
  if (file === '-' || lookAt(file)?.isFile() === false) return undefined;
  const name = displayName(file);
  const handle = reading({ name, content }, () => openSync(file, 'r'));
  return { name, content, handle, size: reading({ name, content }, () => fstatSync(handle)).size };
}

/** Fills `into` from a position on; returns the bytes read, fewer only at the end of the file. */
export function readAt(file: PositionedFile, into: Uint8Array, position: number): number {
  const { handle } = file;
  if (typeof handle !== 'number') return readRemote(handle, into, position);
  let done = 0;
  while (done < into.length) {
    const bytes = reading(file, () => readNow(handle, into.subarray(done), position + done));
    if (bytes === 0) break;
    done += bytes;
  }
  return done;
}

/** Like `readAt`, but of a regular file this thread does other things meanwhile. Nobody may close it before. */
export async function readAtLater(file: PositionedFile, into: Uint8Array, position: number): Promise<number> {
  const { handle } = file;
  if (typeof handle !== 'number') return readRemote(handle, into, position);
  let done = 0;
  while (done < into.length) {
    const bytes = await readLater(handle, into.subarray(done), position + done).catch((error: unknown) => {
      throw cannotRead(file.content, file.name, error);
    });
    if (bytes === 0) break;
    done += bytes;
  }
  return done;
}

/** Bytes that tell whose a file is. */
const HEAD_BYTES = 128;
const TAIL_BYTES = 64;

/** The last bytes of a file, once they are wanted; undefined where they cannot be read. */
export type Tail = () => Uint8Array | undefined;

/** The last bytes of a file, behind NULs if it has no more; undefined where they cannot be read, as what comes before may be. */
export function tailOf(file: PositionedFile): Tail {
  let tail: { readonly bytes: Uint8Array | undefined } | undefined;
  return () => {
    tail ??= { bytes: readTail(file) };
    return tail.bytes;
  };
}

function readTail(file: PositionedFile): Uint8Array | undefined {
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
export function headOf(name: string, content: FileRole): { head: Uint8Array; size: number; tail: Tail } | undefined {
  const file = openPositioned(name, content);
  if (file === undefined) return undefined;
  try {
    const head = new Uint8Array(HEAD_BYTES);
    const tail = readTail(file);
    return { head: head.subarray(0, readAt(file, head, 0)), size: file.size, tail: () => tail };
  } finally {
    closePositioned(file);
  }
}

/** When a regular file was changed last, in seconds since 1970. */
export function modifiedAt(file: PositionedFile): number | undefined {
  const { handle } = file;
  return typeof handle === 'number' ? reading(file, () => fstatSync(handle)).mtimeMs / 1000 : undefined;
}

/** What was read of the file is all that is read of it each time: that of a file on a server is kept. */
export function keepBeginning({ handle }: PositionedFile): void {
  if (typeof handle !== 'number') keepRemote(handle);
}

/** Closes a regular file, for all threads. */
export function closePositioned({ handle }: PositionedFile): void {
  if (typeof handle === 'number') closeQuietly(handle);
}

function reading<T>({ name, content }: Pick<PositionedFile, 'name' | 'content'>, work: () => T): T {
  return attempt(work, (cause) => cannotRead(content, name, cause));
}
