import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { HEADER_BYTES, MAGIC, PAGE_BYTES } from './head.ts';

/**
 * An index of PostgreSQL's extension bloom, little-endian, in pages of 8 KiB. The first page has a u32 magic number, two u16 bounds of a
 * list of pages, i32 length, i32 words of 16 bits per signature, and 32 i32s with the bits per column. The other pages have rows and their
 * signatures. Values are texts, or whole numbers of 32 bits.
 */
export const postgresBloom: Format = {
  name: 'postgres-bloom',
  system: 'PostgreSQL',
  purpose: 'PostgreSQL with the extension bloom',
  fits: (head, size) => head.getUint32(HEADER_BYTES, true) === MAGIC && (size === undefined || size % PAGE_BYTES === 0),
  abilities: ['query', 'report'],
  keyTypes: { ...BYTES, int32: { encoding: 'int32le' } },
  integrity: undefined,
  limits: ['an index has one filter per row; query --which prints the rows that may have a value'],
  open: async (source, _, opening) => (await import('./file.ts')).open(source, postgresBloom, opening),
  openColumns: async (source, _, opening) => [await (await import('./file.ts')).open(source, postgresBloom, opening)],
};
