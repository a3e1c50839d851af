import { BloomError, UnreadableInput } from '../../errors.ts';
import { compressionOf } from '../../io/compression.ts';
import { displayName, lookAt } from '../../io/look.ts';
import { headOf } from '../../io/positioned.ts';
import { memorySource } from '../../io/source.ts';
import { chunkSource } from './chunks.ts';
import type { RecordSource } from './header.ts';
import { type KeySelection, LONGEST_RECORD, plainEndsOf } from './key-selection.ts';
import { nextRecord } from './next-record.ts';
import { openRecords } from './open-records.ts';

/** The records of a regular file whose first bytes lie in a range. */
export interface FileRange {
  readonly file: string;
  readonly from: number;
  /** Infinite if the range ends with the file, which may grow. */
  readonly to: number;
}

/** One of `of` equal slices of all bytes, counted from 1. */
export interface InputSlice {
  readonly number: number;
  readonly of: number;
}

/**
 * The ranges of a slice in concatenated files. A record belongs to the slice of its first byte, but ends with its file. Throws `input` and
 * `usage` errors for files that cannot be divided.
 */
export function rangesIn(
  files: readonly string[],
  { number, of }: InputSlice,
  selection: KeySelection,
): readonly FileRange[] {
  const sizes = files.map((file) => sizeOf(file, selection));
  const total = BigInt(sizes.reduce((sum, size) => sum + size, 0));
  const cut = (slices: number) => Number((total * BigInt(slices)) / BigInt(of));
  const [begin, end] = [cut(number - 1), cut(number)];
  let position = 0;
  return files.flatMap((file, i) => {
    const size = sizes[i] ?? 0;
    const [from, to] = [Math.max(begin - position, 0), end - position];
    position += size;
    return from < Math.min(to, size) ? [{ file, from, to: to < size ? to : Number.POSITIVE_INFINITY }] : [];
  });
}

/** The size of a file to divide, in bytes. */
function sizeOf(name: string, { raw, areDigests }: KeySelection): number {
  const looked = headOf(name, 'records');
  if (looked === undefined) throw uncut(name, 'can only be read in order', 'name a regular file');
  const { head, size } = looked;
  if (head.length > size) throw uncut(name, 'has no size', 'copy it into a regular file');
  const compression = raw || areDigests ? undefined : compressionOf(head);
  if (compression !== undefined) throw uncut(name, `is compressed with ${compression.name}`, 'decompress it first');
  return size;
}

function uncut(name: string, why: string, hint: string): BloomError {
  return new BloomError('usage', `${displayName(name)} cannot be cut into slices: it ${why}`, hint);
}

/** Bytes of a range that exist in the file. */
export function rangeBytes({ file, from, to }: FileRange): number {
  return Math.max(0, Math.min(to, lookAt(file)?.size ?? 0) - from);
}

/** The records of a range. They are opened like the records of the whole file, with the same errors. */
export async function openRange({ file: name, from, to }: FileRange, selection: KeySelection): Promise<RecordSource> {
  const source = await openRecords(name, selection);
  const { file, begin = 0, fields } = source;
  try {
    if (file === undefined)
      throw new UnreadableInput(`cannot read ${displayName(name)}: it was replaced while it was read`);
    const ends = plainEndsOf(selection);
    const recordAt = (position: number, longest: number) =>
      position <= begin ? begin : nextRecord(file, position, ends, longest);
    const first = recordAt(from, Number.POSITIVE_INFINITY);
    // The scanner reports a record that is too long.
    const end = to === Number.POSITIVE_INFINITY ? to : recordAt(to, LONGEST_RECORD);
    if (first === Number.POSITIVE_INFINITY) return { ...memorySource(name, new Uint8Array()), close: source.close };
    const range = chunkSource({ type: 'range', file, from: first, to: end, fields });
    return { ...range, name, file, begin: first, end, close: source.close };
  } catch (error) {
    source.close();
    throw error;
  }
}
