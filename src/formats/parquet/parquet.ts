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
 * Apache Parquet: pages of columns, then metadata, a u32le with its length, and "PAR1". A column chunk is a column in
 * a row group. It may have a split-block filter anywhere in the file, and the metadata has its offset.
 */
export const parquet: Format = {
  name: 'parquet',
  system: 'Parquet',
  purpose: 'Spark, DuckDB, Arrow, parquet-java and other writers of tables',
  // The next byte begins the header of a page, or the metadata of a file without rows.
  signatures: [signatureOf(`${MAGIC}\x15`)],
  fits: (head, size) => (size === undefined && begins(head)) || isBare(head, size),
  // The length of the metadata. Letters would be too large a length.
  ends: (tail, size) => {
    const at = tail.byteLength - TAIL_BYTES;
    return isMagic(textOf(tail, at + 4)) && tail.getUint32(at, true) <= size - TAIL_BYTES - MAGIC_BYTES;
  },
  abilities: ['query', 'report'],
  keyTypes: PARQUET_KEYS,
  integrity: undefined,
  limits: ['encrypted files and columns are not supported'],
  variants: [{ name: BITS_ALONE, purpose: 'only the bits of one filter', hasArbitraryStart: true }],
  open: async (source, _, opening) => (await import('./table.ts')).open(source, parquet, opening),
  openColumns: async (source, _, opening) => (await import('./table.ts')).openColumns(source, parquet, opening),
};

/**
 * Whether an encrypted table may begin with these bytes. The length after the letters would be too large if it were
 * text.
 */
function begins(head: DataView): boolean {
  const magic = textOf(head, 0);
  return magic === MAGIC || (magic === ENCRYPTED_MAGIC && head.getUint8(MAGIC_BYTES + 3) === 0);
}

/**
 * Whether a file may begin with the header of a single filter: a number and a struct. `size` is undefined if it is
 * unknown.
 */
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
