import { signatureOf } from '../../io/signature.ts';
import type { Format } from '../format.ts';
import { PARQUET_KEYS } from './keys.ts';
import {
  BITS_ALONE,
  BLOCK_BYTES,
  ENCRYPTED_MAGIC,
  HEADER_LIMIT,
  isMagic,
  MAGIC,
  MAGIC_BYTES,
  TAIL_BYTES,
  textOf,
} from './sizes.ts';

/**
 * Apache Parquet: pages of columns, then metadata, a u32le of its bytes, and "PAR1". A column chunk, which is a column in a row
 * group, may have a split-block filter somewhere in the file, to which the metadata points.
 */
export const parquet: Format = {
  name: 'parquet',
  system: 'Parquet',
  purpose: 'Spark, DuckDB, Arrow, parquet-java and others that write tables',
  // What follows is the header of a page, or the metadata of no rows.
  signatures: [signatureOf(`${MAGIC}\x15`)],
  fits: (head, size) => (size === undefined && begins(head)) || isBare(head, size),
  // A length of metadata, which is none where these are letters.
  ends: (tail, size) => {
    const at = tail.byteLength - TAIL_BYTES;
    return isMagic(textOf(tail, at + 4)) && tail.getUint32(at, true) <= size - TAIL_BYTES - MAGIC_BYTES;
  },
  abilities: ['ask', 'report'],
  keyTypes: PARQUET_KEYS,
  integrity: undefined,
  limits: ['filters of encrypted files and columns are not read'],
  fileBytes: ({ bits }) => bits / 8,
  variants: [{ name: BITS_ALONE, purpose: 'the bits of one filter and nothing else', beginsAnyhow: true }],
  open: async (source, _, opening) => (await import('./table.ts')).open(source, parquet, opening),
  openColumns: async (source, _, opening) => (await import('./table.ts')).openColumns(source, parquet, opening),
};

/** Whether a table may begin so: where it is encrypted, with the length of what follows, which is none where these are letters. */
function begins(head: DataView): boolean {
  const magic = textOf(head, 0);
  return magic === MAGIC || (magic === ENCRYPTED_MAGIC && head.getUint8(MAGIC_BYTES + 3) === 0);
}

/** Whether a file of so many bytes, or of nobody knows how many, begins as the header of a filter by itself: a number, and a struct. */
function isBare(head: DataView, size: number | undefined): boolean {
  if (head.getUint8(0) !== 0x15) return false;
  let at = 1;
  let twice = 0;
  for (let place = 1; head.getUint8(at) >= 128 && at < 5; place *= 128) twice += place * (head.getUint8(at++) & 127);
  twice += 128 ** (at - 1) * head.getUint8(at++);
  const length = twice / 2;
  const isSized = length > 0 && length % BLOCK_BYTES === 0 && head.getUint8(at) === 0x1c;
  return isSized && (size === undefined || (size > length && size <= length + HEADER_LIMIT));
}
