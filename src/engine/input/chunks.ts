import { type PositionedFile, readAt } from '../../io/positioned.ts';
import { memorySource } from '../../io/source.ts';
import type { BufferPool } from './buffer-pool.ts';
import type { RecordSource } from './header.ts';
import { LF, LONGEST_RECORD, tooLong } from './key-selection.ts';
import { nextRecord } from './next-record.ts';
import { RANDOM_KEY_BYTES, randomKeys } from './random-keys.ts';
import { createEndFinder, cutDigest, type PlainEnds, type RecordEnds } from './record-ends.ts';

/** Whole records that a thread gets, with the fields of the wanted columns if their input has a header. */
export type Chunk =
  /** Bytes of a regular file, up to its end if `to` is infinite. */
  | (Columns & { readonly type: 'range'; readonly file: PositionedFile; readonly from: number; readonly to: number })
  | (Columns & { readonly type: 'bytes'; readonly bytes: Uint8Array })
  | { readonly type: 'random'; readonly keys: number };

type Columns = Pick<RecordSource, 'fields'>;

/** The records of a chunk. */
export function chunkSource(chunk: Chunk): RecordSource {
  if (chunk.type === 'bytes') return { ...memorySource('a part of the input', chunk.bytes), fields: chunk.fields };
  if (chunk.type === 'random') return randomKeys(chunk.keys);
  const { file, from, to, fields } = chunk;
  let position = from;
  const read = (into: Uint8Array): number => {
    const bytes = readAt(file, into.subarray(0, Math.min(into.length, to - position)), position);
    position += bytes;
    return bytes;
  };
  return { name: file.name, size: to - from, fields, read, wait: async (into) => read(into), close: () => {} };
}

/** The next chunk of a source; undefined at its end. */
export type NextChunk = () => Promise<Chunk | undefined>;

/** How an input is divided. */
export interface Cutting {
  readonly ends: RecordEnds;
  /** Bytes per chunk, up to the end of a record. */
  readonly length: number;
  /** The source of buffers for chunks that can only be read in order. The reader of a chunk gives its buffer back. */
  readonly buffers: BufferPool;
  /** The maximum length of a record in bytes. */
  readonly longest?: number;
}

/** Divides the part of a source that follows its beginning. */
export function chunksAfter(source: RecordSource, { position, rest }: Beginning, cutting: Cutting): NextChunk {
  const { ends } = cutting;
  // The end of a CSV record can be found only by reading from the start.
  if (source.file === undefined || 'csvDelimiter' in ends) return piecesOf(source, rest, cutting);
  return rangesOf(source.file, (source.begin ?? 0) + position, source, { ...cutting, ends });
}

/** Bytes of a chunk. */
export function chunkBytes(chunk: Chunk): number {
  if (chunk.type === 'bytes') return chunk.bytes.length;
  if (chunk.type === 'random') return chunk.keys * RANDOM_KEY_BYTES;
  return Math.max(0, Math.min(chunk.to, chunk.file.size) - chunk.from);
}

/** Divides a regular file into ranges. The last range ends with the source, or has a record that is too long. */
function rangesOf(
  file: PositionedFile,
  position: number,
  { end = Number.POSITIVE_INFINITY, fields }: Pick<RecordSource, 'end' | 'fields'>,
  { ends, length, longest = LONGEST_RECORD }: Cutting & { readonly ends: PlainEnds },
): NextChunk {
  let from = position;
  return async () => {
    if (from >= end) return undefined;
    const to = from + length < Math.min(file.size, end) ? nextRecord(file, from + length, ends, longest) : end;
    const chunk: Chunk = { type: 'range', file, from, to, fields };
    from = to;
    return chunk;
  };
}

/** Divides the random keys that follow the beginning. */
export function randomChunksAfter(keys: number, { position }: Beginning, { length }: Cutting): NextChunk {
  let left = keys - position / RANDOM_KEY_BYTES;
  return async () => {
    if (left === 0) return undefined;
    const part = Math.min(left, Math.floor(length / RANDOM_KEY_BYTES));
    left -= part;
    return { type: 'random', keys: part };
  };
}

/**
 * Divides a source into pieces of whole records. A piece is complete when its buffer is full, or when the source has no more bytes for the
 * moment. `read` are bytes that were read before. A record that is longer than a buffer gets a larger one.
 */
function piecesOf(
  source: RecordSource,
  read: Uint8Array,
  { ends, length, buffers, longest = LONGEST_RECORD }: Cutting,
): NextChunk {
  const lastEnd = createEndFinder(ends);
  let rest = read;
  /** Bytes of `rest` up to the end of its last record. */
  let cut = lastEnd(rest);
  let ended = false;
  /** Why the source cannot be read further. The error is thrown after all records before it were handed out. */
  let failure: { readonly error: unknown } | undefined;
  /**
   * A buffer that begins with some bytes, and has space for at least as many more. It is never larger than what shows that a record is too
   * long.
   */
  const bufferAfter = (bytes: Uint8Array) => {
    const buffer = buffers.take(2 * bytes.length < length ? length : Math.min(4 * bytes.length, longest + 1));
    buffer.set(bytes);
    return buffer;
  };
  return async () => {
    if (failure !== undefined) throw failure.error;
    if (ended) return undefined;
    let buffer = bufferAfter(rest);
    let end = rest.length;
    for (;;) {
      if (end === buffer.length) {
        if (cut > 0) break;
        if (!('length' in ends) && end > longest)
          throw tooLong(source.name, 'terminator' in ends ? ends.terminator : LF);
        const full = buffer;
        buffer = bufferAfter(full);
        buffers.giveBack(full);
      }
      const space = buffer.subarray(end);
      let count: number;
      try {
        const bytes = source.read(space);
        if (bytes === undefined && cut > 0) break;
        count = bytes ?? (await source.wait(space));
      } catch (error) {
        if (cut === 0) throw error;
        failure = { error };
        break;
      }
      if (count === 0) {
        ended = true;
        if ('length' in ends && cut < end) failure = { error: cutDigest(source.name) };
        else cut = end;
        break;
      }
      const last = lastEnd(buffer.subarray(end, end + count));
      if (last > 0) cut = end + last;
      end += count;
    }
    rest = buffer.slice(cut, end);
    const bytes = buffer.subarray(0, cut);
    cut = 0;
    if (bytes.length > 0) return { type: 'bytes', bytes, fields: source.fields };
    buffers.giveBack(buffer);
    if (failure !== undefined) throw failure.error;
    return undefined;
  };
}

/** The beginning of a source, as far as it was handed out. */
export interface Beginning {
  readonly source: RecordSource;
  /** The source has more. */
  readonly isCut: boolean;
  /** Bytes of the source that were handed out. */
  readonly position: number;
  /** The next bytes, which were read from the source already. */
  readonly rest: Uint8Array;
}

/** The part of a source that ends after a whole record, as soon as `isEnough` returns true. */
export function beginningOf(source: RecordSource, ends: RecordEnds, isEnough: () => boolean): Beginning {
  let position = 0;
  let rest: Uint8Array = new Uint8Array();
  let isCut = false;
  const lastEnd = createEndFinder(ends);
  const handOut = (into: Uint8Array, count: number): number => {
    const end = lastEnd(into.subarray(0, count));
    const cut = count > 0 && isEnough() ? end : 0;
    if (cut > 0) {
      isCut = true;
      rest = into.slice(cut, count);
    }
    const bytes = isCut ? cut : count;
    position += bytes;
    return bytes;
  };
  const part: RecordSource = {
    name: source.name,
    size: source.size,
    fields: source.fields,
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
