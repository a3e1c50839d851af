import { type PositionedFile, readAt } from '../io/positioned.ts';
import { type ByteSource, memorySource } from '../io/source.ts';
import type { Input } from './inputs.ts';
import { LONGEST_RECORD, tooLong } from './keys.ts';
import { RANDOM_KEY_BYTES, randomKeys } from './random-keys.ts';

/** Whole records that are handed to a thread. */
export type Chunk =
  /** Bytes of a regular file, up to its end if `to` is infinite. */
  | { readonly type: 'range'; readonly file: PositionedFile; readonly from: number; readonly to: number }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'random'; readonly keys: number };

/** The records of a chunk. */
export function chunkSource(chunk: Chunk): ByteSource {
  if (chunk.type === 'bytes') return memorySource('a part of the input', chunk.bytes);
  if (chunk.type === 'random') return randomKeys(chunk.keys);
  const { file, from, to } = chunk;
  let position = from;
  const read = (into: Uint8Array): number => {
    const bytes = readAt(file, into.subarray(0, Math.min(into.length, to - position)), position);
    position += bytes;
    return bytes;
  };
  return { name: file.name, size: to - from, read, wait: async (into) => read(into), close: () => {} };
}

/** Bytes that are searched at first for the end of a record, and at most at once. */
const SEARCH_BYTES = 4096;
const LARGEST_SEARCH = 2 ** 20;

/** Where the first record begins at a position or after it; infinite if none does, or the one before it is too long. */
function nextRecord(file: PositionedFile, position: number, terminator: number, longest: number): number {
  let bytes = new Uint8Array(SEARCH_BYTES);
  for (let at = position - 1; at - position < longest; ) {
    const read = readAt(file, bytes, at);
    const end = bytes.subarray(0, read).indexOf(terminator);
    if (end >= 0) return at + end + 1;
    if (read < bytes.length) break;
    at += read;
    bytes = new Uint8Array(LARGEST_SEARCH);
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * The next chunk of a source and its bytes; undefined at its end. `buffer` is room for a chunk, of the length that it
 * should have.
 */
export type NextChunk = (buffer: Uint8Array) => Promise<{ chunk: Chunk; bytes: number } | undefined>;

/** Cuts up what follows the beginning of an input, which is open as `source`; a record may have `longest` bytes. */
export function chunksAfter(
  input: Input,
  source: ByteSource,
  { position, rest }: Beginning,
  terminator: number,
  longest = LONGEST_RECORD,
): NextChunk {
  if (typeof input !== 'string' && 'randomKeys' in input) {
    return randomChunks(input.randomKeys - position / RANDOM_KEY_BYTES);
  }
  return source.file === undefined
    ? piecesOf(source, rest, terminator, longest)
    : rangesOf(source.file, position, terminator, longest);
}

/** Cuts a regular file into ranges. The last one ends with the file, or has a record that is too long. */
function rangesOf(file: PositionedFile, position: number, terminator: number, longest: number): NextChunk {
  let from = position;
  return async ({ length }) => {
    if (from === Number.POSITIVE_INFINITY) return undefined;
    const to =
      from + length < file.size ? nextRecord(file, from + length, terminator, longest) : Number.POSITIVE_INFINITY;
    const chunk: Chunk = { type: 'range', file, from, to };
    const bytes = Math.max(0, Math.min(to, file.size) - from);
    from = to;
    return { chunk, bytes };
  };
}

/** Cuts what is left of so many random keys. */
function randomChunks(keys: number): NextChunk {
  let left = keys;
  return async ({ length }) => {
    if (left === 0) return undefined;
    const part = Math.min(left, Math.floor(length / RANDOM_KEY_BYTES));
    left -= part;
    return { chunk: { type: 'random', keys: part }, bytes: part * RANDOM_KEY_BYTES };
  };
}

/**
 * Cuts what a source gives into pieces of whole records. A piece is handed out when it is full, or when nothing more
 * is there for the moment. `read` are bytes that were read before. A record that is longer than the buffer makes a
 * buffer of its own.
 */
function piecesOf(source: ByteSource, read: Uint8Array, terminator: number, longest: number): NextChunk {
  let rest = read;
  let ended = false;
  /** Room for what is there and thrice as much, but for no more than shows that a record is too long. */
  const roomAfter = (bytes: number) => shared(Math.min(4 * bytes, longest + 1));
  return async (given) => {
    let buffer = given.length > 2 * rest.length ? given : roomAfter(rest.length);
    buffer.set(rest);
    let end = rest.length;
    let cut = rest.lastIndexOf(terminator) + 1;
    for (;;) {
      if (end === buffer.length) {
        if (cut > 0) break;
        if (end > longest) throw tooLong(source.name, terminator);
        const larger = roomAfter(end);
        larger.set(buffer);
        buffer = larger;
      }
      const room = buffer.subarray(end);
      let count = ended ? 0 : source.read(room);
      if (count === undefined) {
        if (cut > 0) break;
        count = await source.wait(room);
      }
      if (count === 0) {
        ended = true;
        cut = end;
        break;
      }
      const last = buffer.subarray(end, end + count).lastIndexOf(terminator);
      if (last >= 0) cut = end + last + 1;
      end += count;
    }
    rest = buffer.slice(cut, end);
    if (cut === 0) return undefined;
    return { chunk: { type: 'bytes', bytes: buffer.subarray(0, cut) }, bytes: cut };
  };
}

/** Bytes that threads share. */
export function shared(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/** The beginning of a source, as far as it was handed out. */
export interface Beginning {
  readonly source: ByteSource;
  /** The source has more. */
  readonly isCut: boolean;
  /** Bytes of it that were handed out. */
  readonly position: number;
  /** Bytes that were read from the source and follow. */
  readonly rest: Uint8Array;
}

/** The part of a source that ends, after a whole record, as soon as `isEnough` says so. */
export function beginningOf(source: ByteSource, terminator: number, isEnough: () => boolean): Beginning {
  let position = 0;
  let rest: Uint8Array = new Uint8Array();
  let isCut = false;
  const handOut = (into: Uint8Array, count: number): number => {
    const cut = count > 0 && isEnough() ? into.subarray(0, count).lastIndexOf(terminator) + 1 : 0;
    if (cut > 0) {
      isCut = true;
      rest = into.slice(cut, count);
    }
    const bytes = isCut ? cut : count;
    position += bytes;
    return bytes;
  };
  const part: ByteSource = {
    name: source.name,
    size: source.size,
    read(into) {
      if (isCut) return 0;
      const count = source.read(into);
      return count === undefined ? undefined : handOut(into, count);
    },
    wait: async (into) => (isCut ? 0 : handOut(into, await source.wait(into))),
    close: () => source.close(),
  };
  return {
    source: part,
    get isCut() {
      return isCut;
    },
    get position() {
      return position;
    },
    get rest() {
      return rest;
    },
  };
}
