import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { GOLEVELDB, SIGNED } from './leveldb-versions.ts';
import { LEVELDB_MAGIC, magicOf } from './magic.ts';

/**
 * The filters of a table of LevelDB, an .ldb file: one of the keys of each 2 KiB of blocks, which the index of these tells. Keys
 * are those of users, without what the table puts behind them.
 */
export const leveldb: Format = {
  name: 'leveldb',
  system: 'LevelDB',
  purpose: 'LevelDB and goleveldb, and what keeps its data there, such as Chrome, Bitcoin Core and geth',
  ends: (tail) => magicOf(tail) === LEVELDB_MAGIC,
  abilities: ['ask', 'report'],
  keyTypes: BYTES,
  integrity: 'every checksum of its filters matches',
  variants: [SIGNED, GOLEVELDB],
  limits: ['tables whose keys are not in the order of their bytes are not asked, and others than .ldb files not read'],
  fileBytes: ({ bits }) => bits / 8,
  open: async (source, kernel, opening) => (await import('./leveldb-table.ts')).open(source, leveldb, kernel, opening),
};
