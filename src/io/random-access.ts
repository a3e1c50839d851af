import { BloomError } from '../errors.ts';
import { displayName } from './look.ts';
import { type PositionedFile, readAt } from './positioned.ts';
import { type ByteSource, readWhole } from './source.ts';

/** Bytes that can be read at any position. */
export interface RandomAccess {
  readonly size: number;
  /** The file of the bytes; undefined if they are in memory. */
  readonly file: PositionedFile | undefined;
  /** Reads `length` bytes from a position. The result is shorter only at the end. */
  read(position: number, length: number): Uint8Array;
}

/** The most bytes that are read into memory from a source that can only be read in order. */
const WHOLE_LIMIT = 2 ** 30;

/**
 * Gives random access to a source that was not read yet. A source that can only be read in order is read completely.
 * Throws `input` errors.
 */
export async function randomAccess(source: ByteSource): Promise<RandomAccess> {
  const { file } = source;
  if (file !== undefined)
    return {
      size: file.size,
      file,
      read(position, length) {
        const bytes = new Uint8Array(Math.max(0, Math.min(length, file.size - position)));
        return bytes.subarray(0, readAt(file, bytes, position));
      },
    };
  const bytes = await readWhole(source, WHOLE_LIMIT);
  if (bytes === undefined)
    throw new BloomError(
      'input',
      `${displayName(source.name)} is too long for a pipe: a filter of this format is read as a whole`,
      'name it as a file',
    );
  return {
    size: bytes.length,
    file: undefined,
    read: (position, length) => bytes.subarray(position, position + length),
  };
}
