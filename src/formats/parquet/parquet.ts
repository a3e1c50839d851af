import { signatureOf } from '../../io/signature.ts';
import type { Format } from '../format.ts';
import { isBare } from './bare.ts';
import { PARQUET_KEYS } from './types.ts';

/** What is to be stated of bits without a header. */
export const BITS_ALONE = 'parquet-bits';

export const MAGIC = 'PAR1';
export const ENCRYPTED_MAGIC = 'PARE';
export const MAGIC_BYTES = 4;
export const TAIL_BYTES = 4 + MAGIC_BYTES;

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
  fits: (head, size) => (size === undefined && isMagic(textOf(head, 0))) || isBare(head, size),
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
  open: async (source, _, opening) => (await import('./table.ts')).open(source, opening),
  openColumns: async (source, _, opening) => (await import('./table.ts')).openColumns(source, opening),
};

export const isMagic = (text: string) => text === MAGIC || text === ENCRYPTED_MAGIC;

export function textOf({ buffer, byteOffset }: DataView, at: number): string {
  return Buffer.from(buffer, byteOffset + at, MAGIC_BYTES).toString('latin1');
}
