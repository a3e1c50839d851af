import type { Format } from '../format.ts';
import { ORC_KEYS } from './keys.ts';

const MAGIC = 'ORC';

const TAB = 9;

/**
 * Apache ORC: "ORC", stripes, a footer, a postscript that ends with "ORC", and a u8 of its length. A stripe has streams of filters,
 * one a column and in it one a row group, of which those of 32 bits that double hashing gives are the positions.
 */
export const orc: Format = {
  name: 'orc',
  system: 'ORC',
  purpose: 'Hive, Spark, Trino, Arrow and others that write tables',
  fits: (head, size) => size === undefined && textOf(head, 0) === MAGIC && isNoText(head),
  ends: (tail) => textOf(tail, tail.byteLength - MAGIC.length - 1) === MAGIC,
  abilities: ['ask', 'report'],
  keyTypes: ORC_KEYS,
  integrity: undefined,
  limits: ['filters of encrypted columns are not read, and no files that are compressed with LZO or Brotli'],
  fileBytes: ({ bits }) => bits / 8,
  open: async (source, _, opening) => (await import('./table.ts')).open(source, orc, opening),
  openColumns: async (source) => (await import('./table.ts')).openColumns(source, orc),
};

/** Whether there are bytes as no text has. */
function isNoText(head: DataView): boolean {
  return new Uint8Array(head.buffer, head.byteOffset, head.byteLength).some((byte) => byte < TAB);
}

function textOf({ buffer, byteOffset }: DataView, at: number): string {
  return Buffer.from(buffer, byteOffset + at, MAGIC.length).toString('latin1');
}
