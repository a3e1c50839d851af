import type { Format } from '../format.ts';
import { ORC_KEYS } from './keys.ts';

const MAGIC = 'ORC';

const TAB = 9;

/**
 * Apache ORC: "ORC", stripes, a footer, a postscript that ends with "ORC", and a u8 with the length of the
 * postscript. A stripe has one stream of filters per column, with one filter per row group. Positions come from
 * 32-bit double hashing.
 */
export const orc: Format = {
  name: 'orc',
  system: 'ORC',
  purpose: 'Hive, Spark, Trino, Arrow and other writers of tables',
  fits: (head, size) => size === undefined && textOf(head, 0) === MAGIC && isNoText(head),
  ends: (tail) => textOf(tail, tail.byteLength - MAGIC.length - 1) === MAGIC,
  abilities: ['query', 'report'],
  keyTypes: ORC_KEYS,
  integrity: undefined,
  limits: ['encrypted columns, and files compressed with LZO or Brotli, are not supported'],
  open: async (source, _, opening) => (await import('./table.ts')).open(source, orc, opening),
  openColumns: async (source) => (await import('./table.ts')).openColumns(source, orc),
};

/** Whether there are bytes that no text has. */
function isNoText(head: DataView): boolean {
  return new Uint8Array(head.buffer, head.byteOffset, head.byteLength).some((byte) => byte < TAB);
}

function textOf({ buffer, byteOffset }: DataView, at: number): string {
  return Buffer.from(buffer, byteOffset + at, MAGIC.length).toString('latin1');
}
