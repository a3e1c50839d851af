export const LEVELDB_MAGIC = 0xdb4775248b80fb57n;
export const ROCKSDB_MAGIC = 0x88e241b785f4cff7n;

/** The magic number at the end of a file. */
export function magicOf(tail: DataView): bigint {
  return tail.getBigUint64(tail.byteLength - 8, true);
}
