import { BloomError } from '../errors.ts';
import { displayName } from './look.ts';
import { type PositionedFile, readAt } from './positioned.ts';
import { type ByteSource, readWhole } from './source.ts';

/** Bytes of which any part can be read. */
export interface RandomAccess {
  readonly size: number;
  /** Where they are, if not in memory. */
  readonly file: PositionedFile | undefined;
  /** So many bytes from a position on; fewer only at the end. */
  read(position: number, length: number): Uint8Array;
}

/** Bytes of what can only be read in order that are taken into memory. */
const WHOLE_LIMIT = 2 ** 30;

/**
 * A source at whose beginning nobody has read on. One that can only be read in order is read as a whole. Throws `input`
 * errors.
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
      `${displayName(source.name)} is too long to be read as a whole, as a pipe of this format is`,
      'name it as a file',
    );
  return {
    size: bytes.length,
    file: undefined,
    read: (position, length) => bytes.subarray(position, position + length),
  };
}
