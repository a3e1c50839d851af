import { fstatSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BloomError, cannotRead, errno, type FileRole, UnreadableInput } from '../errors.ts';
import { closeQuietly, readLater, readNow, STDIN, statOf } from './descriptors.ts';
import { displayName, isObjectName, isUrl } from './look.ts';
import { nap } from './nap.ts';
import type { PositionedFile } from './positioned.ts';
import { openWithoutBlocking } from './system.ts';

/** Bytes that are read in order. `read` does not block. */
export interface ByteSource {
  /** The name that the user gave; '-' is the standard input. */
  readonly name: string;
  /** The size of a regular file in bytes; undefined for pipes, terminals and devices. */
  readonly size: number | undefined;
  /** The same file, for reads at any position; undefined if there can be none. */
  readonly file?: PositionedFile;
  /** All bytes of a file that was read at once. */
  readonly whole?: Uint8Array;
  /** The position in the file at which the source begins, if it is not 0. */
  readonly begin?: number;
  /** The position in the file at which the source ends, if it is not the end of the file. */
  readonly end?: number;
  /**
   * Reads available bytes, up to the length of `into`. Returns their number, 0 at the end, undefined if the read would
   * block.
   */
  read(into: Uint8Array): number | undefined;
  /** Like `read`, but waits for a byte or the end. */
  wait(into: Uint8Array): Promise<number>;
  /**
   * The bytes that were read from the underlying file since the last call, if they are not the bytes of the source
   * itself.
   */
  consumed?(): number;
  close(): void;
}

/**
 * Milliseconds to wait for an empty pipe before it counts as empty. People do not notice this time, and a fast writer
 * needs less.
 */
const PATIENCE = 0.1;

/** Milliseconds between two reads of a non-blocking input that cannot be awaited. */
const POLL_INTERVAL = 10;

/** An open input. */
interface OpenInput {
  readonly name: string;
  readonly content: FileRole;
  readonly fd: number;
  close(): void;
}

/** Opens a file, or the standard input for '-'. Throws the errors of `cannotRead`, and so does each read. */
export function openSource(name: string, content: FileRole): ByteSource {
  let fd = STDIN;
  const close = () => {
    if (fd !== STDIN) closeQuietly(fd);
  };
  try {
    if (name !== '-') fd = openSync(name, 'r');
    // A standard input that the system does not describe may still be readable.
    const stat = name === '-' ? statOf(fd) : fstatSync(fd);
    if (stat?.isDirectory()) throw new Error('is a directory');
    const input = { name, content, fd, close };
    return stat?.isFile() ? regularSource(input, stat.size) : pipeSource(input);
  } catch (error) {
    close();
    throw isUrl(name) || isObjectName(name) ? onServer(content, name) : cannotRead(content, displayName(name), error);
  }
}

/** The error for a URL where only local files can be read. */
function onServer(content: FileRole, name: string): BloomError {
  const [message, hint] = isObjectName(name) ? inStore(content, name) : atUrl(name);
  return content === 'records' ? new UnreadableInput(message, hint) : new BloomError('input', message, hint);
}

function atUrl(name: string): readonly [string, string] {
  return [
    `cannot read ${displayName(name)}: only filters can be read from a server, by query, stats and build --like`,
    'download it first, for example with curl -O',
  ];
}

/** The message and the hint for an object of S3 or Google Cloud Storage. */
function inStore(content: FileRole, name: string): readonly [string, string] {
  const shown = displayName(name);
  const isS3 = /^s3:/i.test(name);
  const signing = isS3 ? `aws s3 presign ${shown}` : `gcloud storage sign-url ${shown} --format 'value(signed_url)'`;
  const reading = isS3 ? `aws s3 cp ${shown} -` : `gcloud storage cat ${shown}`;
  return [
    `cannot read ${shown}: bloom reads files and URLs of HTTP`,
    content === 'filter'
      ? `query it by a signed URL: bloom query "$(${signing})" -e KEY`
      : `read standard input, from ${reading}`,
  ];
}

/** A regular file of `size` bytes. The standard input may be at any position in it. */
function regularSource({ name, content, fd, close }: OpenInput, size: number): ByteSource {
  const read = (into: Uint8Array): number => {
    try {
      return readNow(fd, into, null);
    } catch (error) {
      throw cannotRead(content, displayName(name), error);
    }
  };
  const wait = async (into: Uint8Array) => read(into);
  if (name === '-') return { name, size: undefined, read, wait, close };
  return { name, size, file: { name: displayName(name), content, handle: fd, size }, read, wait, close };
}

/** A source that may be empty for a while: a pipe, a terminal or a device. */
function pipeSource({ name, content, fd, close }: OpenInput): ByteSource {
  const peek = openWithoutBlocking(fd);
  const throwUnlessEmpty = (error: unknown) => {
    if (errno(error) !== 'EAGAIN') throw cannotRead(content, displayName(name), error);
  };
  // After its first end, a terminal would wait for more.
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

/**
 * Fills `into`, and waits where needed. Returns the number of bytes, which is smaller only at the end of the source.
 */
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

/** Bytes per read if the length is unknown. */
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

/** A source of bytes that are in memory. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  let done = 0;
  const read = (into: Uint8Array): number => {
    const part = done === 0 && bytes.length <= into.length ? bytes : bytes.subarray(done, done + into.length);
    into.set(part);
    done += part.length;
    return part.length;
  };
  return { name, size: bytes.length, read, wait: async (into) => read(into), close: () => {} };
}
