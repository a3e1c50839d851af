import { fstatSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BloomError, cannotRead, errno, type FileRole, UnreadableInput } from '../errors.ts';
import { closeQuietly, readLater, readNow, STDIN } from './descriptors.ts';
import { displayName, isUrl } from './look.ts';
import { nap } from './nap.ts';
import type { PositionedFile } from './positioned.ts';
import { openWithoutBlocking } from './system.ts';

/** Bytes that are read in order, without blocking as long as there are some. */
export interface ByteSource {
  /** As the user named it; '-' is the standard input. */
  readonly name: string;
  /** Bytes of a regular file; undefined for pipes, terminals and devices. */
  readonly size: number | undefined;
  /** Where it can also be read at any position. */
  readonly file?: PositionedFile;
  /** Where the source begins in that file, if not at its beginning. */
  readonly begin?: number;
  /** Where it ends in that file, if not at its end. */
  readonly end?: number;
  /**
   * Reads what is there, up to the length of `into`: the number of bytes, 0 at the end, undefined if it would block.
   */
  read(into: Uint8Array): number | undefined;
  /** Like `read`, but waits until there is a byte or the end. */
  wait(into: Uint8Array): Promise<number>;
  /** How many bytes the source took from its file since it was asked last, where they are not those that it gives. */
  consumed?(): number;
  close(): void;
}

/**
 * How long an empty pipe is given to fill up again before it counts as empty, in milliseconds: no person notices it,
 * and a program that writes as fast as it can takes less.
 */
const PATIENCE = 0.1;

/** How long to sleep between two looks at a non-blocking input that cannot be waited for, in milliseconds. */
const POLL_INTERVAL = 10;

/** An input that is open. */
interface OpenInput {
  readonly name: string;
  readonly content: FileRole;
  readonly fd: number;
  close(): void;
}

/** Opens a file, or the standard input for '-'. Throws what `cannotRead` makes, and so does reading. */
export function openSource(name: string, content: FileRole): ByteSource {
  let fd = STDIN;
  const close = () => {
    if (fd !== STDIN) closeQuietly(fd);
  };
  try {
    if (name !== '-') fd = openSync(name, 'r');
    const stat = fstatSync(fd);
    if (stat.isDirectory()) throw new Error('is a directory');
    const input = { name, content, fd, close };
    return stat.isFile() ? regularSource(input, stat.size) : pipeSource(input);
  } catch (error) {
    close();
    throw isUrl(name) ? onServer(content, name) : cannotRead(content, displayName(name), error);
  }
}

/** The error for a file on a server in a place where only files of this machine are read. */
function onServer(content: FileRole, name: string): BloomError {
  const message = `cannot read ${displayName(name)}: on a server only filters are read, to be asked or reported on`;
  const hint = 'get it first, as with curl -O, or through a pipe';
  return content === 'records' ? new UnreadableInput(message, hint) : new BloomError('input', message, hint);
}

/** A regular file of so many bytes. The standard input may stand anywhere in one. */
function regularSource({ name, content, fd, close }: OpenInput, size: number): ByteSource {
  const read = (into: Uint8Array): number => {
    try {
      return readNow(fd, into, null);
    } catch (error) {
      throw cannotRead(content, displayName(name), error);
    }
  };
  const known =
    name === '-' ? { size: undefined } : { size, file: { name: displayName(name), content, handle: fd, size } };
  return { name, ...known, read, wait: async (into) => read(into), close };
}

/** What may have nothing to read for the moment: a pipe, a terminal or a device. */
function pipeSource({ name, content, fd, close }: OpenInput): ByteSource {
  const peek = openWithoutBlocking(fd);
  const throwUnlessEmpty = (error: unknown) => {
    if (errno(error) !== 'EAGAIN') throw cannotRead(content, displayName(name), error);
  };
  // A terminal that has said once that this is the end would wait for more.
  let hasEnded = false;
  const noted = (bytes: number) => {
    hasEnded = bytes === 0;
    return bytes;
  };
  return {
    name,
    size: undefined,
    read(into) {
      if (hasEnded) return 0;
      if (peek === undefined) return undefined;
      for (let napped = false; ; napped = true) {
        try {
          return noted(readNow(peek, into, null));
        } catch (error) {
          throwUnlessEmpty(error);
          if (napped) return undefined;
          nap(PATIENCE);
        }
      }
    },
    async wait(into) {
      for (;;) {
        if (hasEnded) return 0;
        try {
          return noted(await readLater(fd, into, null));
        } catch (error) {
          throwUnlessEmpty(error);
          await sleep(POLL_INTERVAL);
        }
      }
    },
    close() {
      if (peek !== undefined) closeQuietly(peek);
      close();
    },
  };
}

/** Fills `into`, waiting where needed, and returns the bytes read: fewer only at the end of the source. */
export async function readFully(source: ByteSource, into: Uint8Array): Promise<number> {
  let done = 0;
  while (done < into.length) {
    const rest = into.subarray(done);
    const bytes = await source.wait(rest);
    if (bytes === 0) break;
    done += bytes;
  }
  return done;
}

/** Bytes of one read where the length is not known. */
const PIECE = 64 * 1024;

/** All bytes of a source; undefined if there are more than `limit`. */
export async function readWhole(source: ByteSource): Promise<Uint8Array>;
export async function readWhole(source: ByteSource, limit: number): Promise<Uint8Array | undefined>;
export async function readWhole(source: ByteSource, limit = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (let bytes = PIECE; bytes === PIECE; total += bytes) {
    if (total > limit) return undefined;
    const piece = new Uint8Array(PIECE);
    bytes = await readFully(source, piece);
    pieces.push(piece.subarray(0, bytes));
  }
  return Buffer.concat(pieces);
}

/** Bytes that are in memory already, as a source. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  let done = 0;
  const read = (into: Uint8Array): number => {
    const part = bytes.subarray(done, done + into.length);
    into.set(part);
    done += part.length;
    return part.length;
  };
  return { name, size: bytes.length, read, wait: async (into) => read(into), close: () => {} };
}
