import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { isFilterBlock, METADATA_BYTES } from './filter-block.ts';
import { magicOf, ROCKSDB_MAGIC } from './magic.ts';

/**
 * The filters of a RocksDB table (an SST file), or a single filter block. Keys are those of users, without the
 * trailer that the table adds.
 */
export const rocksdb: Format = {
  name: 'rocksdb',
  system: 'RocksDB',
  purpose: 'RocksDB, and programs with such databases',
  ends: (tail, size) => magicOf(tail) === ROCKSDB_MAGIC || isFilterBlock(lastBytes(tail, METADATA_BYTES), size),
  abilities: ['query', 'report'],
  keyTypes: BYTES,
  integrity: 'all checksums of its filters match',
  open: async (source, kernel) => (await import('./rocksdb-table.ts')).open(source, rocksdb, kernel),
};

function lastBytes({ buffer, byteOffset, byteLength }: DataView, count: number): DataView {
  return new DataView(buffer, byteOffset + byteLength - count);
}
