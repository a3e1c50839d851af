import { fstatSync, openSync } from 'node:fs';
import { setImmediate as otherWork } from 'node:timers/promises';
import { attempt, BloomError, cannotRead, type FileRole } from '../errors.ts';
import { closeQuietly, readLater, readNow } from './descriptors.ts';
import { displayName, lookAt } from './look.ts';
import { arrivals, awaitArrival, type Channel, expectRemote, keepRemote, readRemote } from './remote/channel.ts';
import type { ByteRange } from './remote/range-plan.ts';

/**
 * A file that is read at any position. Every thread of the process can read it: the handle is the same in all threads.
 */
export interface PositionedFile {
  /** The name in messages. */
  readonly name: string;
  readonly content: FileRole;
  /** The descriptor of a regular file, or the channel to the thread that requests parts of a file from a server. */
  readonly handle: number | Channel;
  readonly size: number;
}

/** Opens a regular file; undefined if the file can only be read in order. Throws the errors of `cannotRead`. */
export function openPositioned(file: string, content: FileRole, stat = lookAt(file)): PositionedFile | undefined {
  // The type is checked before the open: the writer of a pipe would notice that the pipe is opened and closed.
  if (file === '-' || stat?.isFile() === false) return undefined;
  const name = displayName(file);
  const handle = reading({ name, content }, () => openSync(file, 'r'));
  return { name, content, handle, size: reading({ name, content }, () => fstatSync(handle)).size };
}

/** Fills `into` from a position. Returns the number of bytes, which is smaller only at the end of the file. */
export function readAt(file: PositionedFile, into: Uint8Array, position: number): number {
  const { handle } = file;
  if (typeof handle !== 'number') {
    const to = position + into.length;
    if (impatient.get(handle)?.(position, to) === false) throw new WaitingRead({ from: position, to });
    return readRemote(handle, into, position);
  }
  let done = 0;
  while (done < into.length) {
    const bytes = reading(file, () => readNow(handle, into.subarray(done), position + done));
    if (bytes === 0) break;
    done += bytes;
  }
  return done;
}

/**
 * Like `readAt`, but this thread does other work while a regular file is read. The file must stay open until the end.
 */
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

/** Whether a file is on a server, so that a read may take long, and expected reads are faster. */
export function isRemote({ handle }: PositionedFile): boolean {
  return typeof handle !== 'number';
}

/**
 * Begins to fetch ranges of a file on a server that will be read, several at the same time. Does nothing for a regular file. `rangesNow` is
 * called while no other thread reads the file.
 */
export function expectReads({ handle }: PositionedFile, rangesNow: () => readonly ByteRange[]): void {
  if (typeof handle !== 'number') expectRemote(handle, rangesNow);
}

/** Thrown by a read that would wait for a server, inside `withoutWaiting`. */
class WaitingRead extends Error {
  readonly range: ByteRange;

  constructor(range: ByteRange) {
    super();
    this.range = range;
  }
}

/** Whether a read of a range does not wait. */
type HasArrived = (from: number, to: number) => boolean;

/** The files whose reads do not wait now. */
const impatient = new Map<Channel, HasArrived>();

/** The end of work that reads a file on a server: a result, or a range that it would have to wait for. */
export type Unwaited<T> = { readonly result: T } | { readonly missing: ByteRange };

/** Does some work on a file on a server until a read would wait for the server. */
export function withoutWaiting<T>({ handle }: PositionedFile, hasArrived: HasArrived, work: () => T): Unwaited<T> {
  if (typeof handle === 'number') return { result: work() };
  impatient.set(handle, hasArrived);
  try {
    return { result: work() };
  } catch (error) {
    return missingOf(error);
  } finally {
    impatient.delete(handle);
  }
}

/** The same for work on a file that only this work knows, so that no other work can interrupt it. */
export async function openWithoutWaiting<T>(
  { handle }: PositionedFile,
  hasArrived: HasArrived,
  work: () => Promise<T>,
): Promise<Unwaited<T>> {
  if (typeof handle === 'number') return { result: await work() };
  impatient.set(handle, hasArrived);
  try {
    return { result: await work() };
  } catch (error) {
    return missingOf(error);
  } finally {
    impatient.delete(handle);
  }
}

function missingOf(error: unknown): { readonly missing: ByteRange } {
  if (error instanceof WaitingRead) return { missing: error.range };
  throw error;
}

/** Fetches ranges of a file on a server, and calls `take` with each range when its read does not wait. This thread does other work meanwhile. */
export async function fetchReads(
  { handle }: PositionedFile,
  ranges: readonly ByteRange[],
  take: (range: ByteRange) => void,
): Promise<void> {
  if (typeof handle === 'number') return;
  let left = ranges;
  while (left.length > 0) {
    const seen = arrivals(handle);
    const there = expectRemote(handle, () => left);
    for (const range of left.filter((_, i) => there[i] === 1)) {
      take(range);
      // Reading all ranges that have arrived would take long.
      await otherWork();
    }
    if (there.includes(1)) left = left.filter((_, i) => there[i] !== 1);
    else await awaitArrival(handle, seen);
  }
}

/** Bytes at the beginning and at the end of a file that show its format. */
const HEAD_BYTES = 128;
const TAIL_BYTES = 64;

/** Reads the last bytes of a file on the first call; undefined if they cannot be read. */
export type Tail = () => Uint8Array | undefined;

/**
 * The last bytes of a file; a short file has NULs before them. Undefined if they cannot be read from a disk, although the bytes before them
 * may be readable. Throws the errors of a server.
 */
export function tailOf(file: PositionedFile): Tail {
  let tail: { readonly bytes: Uint8Array | undefined } | undefined;
  return () => {
    tail ??= { bytes: readTail(file) };
    return tail.bytes;
  };
}

/** The last bytes of a file in memory, as `Tail` has them. */
export function lastBytes(whole: Uint8Array): Uint8Array {
  const tail = new Uint8Array(TAIL_BYTES);
  tail.set(whole.subarray(-TAIL_BYTES), Math.max(0, TAIL_BYTES - whole.length));
  return tail;
}

function readTail(file: PositionedFile): Uint8Array | undefined {
  const tail = new Uint8Array(TAIL_BYTES);
  try {
    readAt(file, tail.subarray(Math.max(0, TAIL_BYTES - file.size)), Math.max(0, file.size - TAIL_BYTES));
    return tail;
  } catch (error) {
    // A disk may lack some bytes of a file. A server fails for another reason, which is stated.
    if (error instanceof BloomError && !isRemote(file)) return undefined;
    throw error;
  }
}

/**
 * The first bytes, size and last bytes of a regular file; undefined if the file can only be read in order. Throws the
 * errors of `cannotRead`.
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

/**
 * Reads a whole regular file that is no larger than `into`, and returns its bytes there; undefined for any other file. Throws the
 * errors of `cannotRead`.
 */
export function readSmall(name: string, content: FileRole, into: Uint8Array): Uint8Array | undefined {
  const file = openPositioned(name, content);
  if (file === undefined) return undefined;
  try {
    if (file.size > into.length) return undefined;
    return into.subarray(0, readAt(file, into.subarray(0, file.size), 0));
  } finally {
    closePositioned(file);
  }
}

/** The time of the last change of a regular file, in seconds since 1970. */
export function modifiedAt(file: PositionedFile): number | undefined {
  const { handle } = file;
  return typeof handle === 'number' ? reading(file, () => fstatSync(handle)).mtimeMs / 1000 : undefined;
}

/** Marks that every run reads the bytes that were read so far. A copy of these bytes is kept for a file on a server. */
export function keepBeginning({ handle }: PositionedFile): void {
  if (typeof handle !== 'number') keepRemote(handle);
}

/** Closes a regular file for all threads. */
export function closePositioned({ handle }: PositionedFile): void {
  if (typeof handle === 'number') closeQuietly(handle);
}

function reading<T>({ name, content }: Pick<PositionedFile, 'name' | 'content'>, work: () => T): T {
  return attempt(work, (cause) => cannotRead(content, name, cause));
}
