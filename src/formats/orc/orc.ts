import { displayName } from '../../io/look.ts';
import { randomAccess } from '../../io/random-access.ts';
import type { ByteSource } from '../../io/source.ts';
import { openAsked, openEach, type TableFile } from '../columns.ts';
import type { Format } from '../format.ts';
import { withRecordKeys } from '../hudi.ts';
import { columnsOf } from './filters.ts';
import { readFooter } from './footer.ts';
import { ORC_KEYS } from './types.ts';

const MAGIC = 'ORC';

/**
 * Apache ORC: "ORC", stripes, a footer, a postscript that ends with "ORC", and a u8 of its length. A stripe has streams of filters,
 * one a column and in it one a row group, of which those of 32 bits that double hashing gives are the positions.
 */
export const orc: Format = {
  name: 'orc',
  system: 'ORC',
  purpose: 'Hive, Spark, Trino, Arrow and others that write tables',
  fits: (head, size) => size === undefined && textOf(head, 0) === MAGIC,
  ends: (tail) => textOf(tail, tail.byteLength - MAGIC.length - 1) === MAGIC,
  abilities: ['ask', 'report'],
  keyTypes: ORC_KEYS,
  integrity: undefined,
  limits: ['filters of encrypted columns are not read, and no files that are compressed with LZO or Brotli'],
  fileBytes: ({ bits }) => bits / 8,
  open: async (source, _, opening) => openAsked(await readTable(source), opening),
  openColumns: async (source) => openEach(await readTable(source)),
};

function textOf({ buffer, byteOffset }: DataView, at: number): string {
  return Buffer.from(buffer, byteOffset + at, MAGIC.length).toString('latin1');
}

async function readTable(source: ByteSource): Promise<TableFile> {
  const name = displayName(source.name);
  const bytes = await randomAccess(source);
  const footer = await readFooter(bytes, name);
  const columns = withRecordKeys(columnsOf(footer, bytes, name), footer.properties, name);
  return { name, format: orc, bytes, columns, close: () => source.close() };
}
