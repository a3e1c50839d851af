import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { isFilterBlock, METADATA_BYTES } from './filter-block.ts';
import { magicOf, ROCKSDB_MAGIC } from './magic.ts';

/**
 * The filters of a table of RocksDB (an SST file), or the block of such a filter by itself. Keys are those of users: without
 * what the table puts behind them.
 */
export const rocksdb: Format = {
  name: 'rocksdb',
  system: 'RocksDB',
  purpose: 'RocksDB, and what keeps its data there',
  ends: (tail, size) => magicOf(tail) === ROCKSDB_MAGIC || isFilterBlock(lastBytes(tail, METADATA_BYTES), size),
  abilities: ['ask', 'report'],
  keyTypes: BYTES,
  integrity: 'every checksum of its filters matches',
  fileBytes: ({ bits }) => bits / 8,
  open: async (source, kernel) => (await import('./rocksdb-table.ts')).open(source, rocksdb, kernel),
};

function lastBytes({ buffer, byteOffset, byteLength }: DataView, count: number): DataView {
  return new DataView(buffer, byteOffset + byteLength - count);
}
