import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { GOLEVELDB, SIGNED } from './leveldb-versions.ts';
import { LEVELDB_MAGIC, magicOf } from './magic.ts';

/**
 * The filters of a table of LevelDB, an .ldb file. One filter has the keys of the blocks that begin in 2 KiB of the
 * file. Keys are those of users, without the trailer that the table adds.
 */
export const leveldb: Format = {
  name: 'leveldb',
  system: 'LevelDB',
  purpose: 'LevelDB and goleveldb, and programs with such databases, such as Chrome, Bitcoin Core and geth',
  ends: (tail) => magicOf(tail) === LEVELDB_MAGIC,
  abilities: ['query', 'report'],
  keyTypes: BYTES,
  integrity: 'all checksums of its filters match',
  variants: [SIGNED, GOLEVELDB],
  limits: ['tables with another order of keys, and files other than .ldb, are not supported'],
  open: async (source, kernel, opening) => (await import('./leveldb-table.ts')).open(source, leveldb, kernel, opening),
};
