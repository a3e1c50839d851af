import { BloomError, damaged } from '../../errors.ts';
import { type PositionedFile, readAt } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type BlockHandle, cursorOf, handleAt } from './entries.ts';
import { TABLE_CHECKSUMS, type TableBlock, type TableChecksum, TRAILER_BYTES, tableChecksum } from './table-block.ts';

/** The content of the footer of a table. */
export interface TableFooter {
  readonly checksum: TableChecksum;
  readonly metaindex: BlockHandle;
  /** The index of blocks of data. Undefined if the metaindex has its position. */
  readonly index: BlockHandle | undefined;
  /** How the block at an offset is verified. */
  wrapping(offset: number): TableBlock;
}

const LEVELDB_BYTES = 48;
const ROCKSDB_BYTES = 53;

/**
 * The latest version, and the first version whose footer has a checksum and whose checksums depend on the position of
 * blocks.
 */
const VERSIONS = 7;
const PLACED = 6;

/** The last 48 bytes of LevelDB: two handles, NULs, and the magic number. */
export function readLeveldbFooter(file: PositionedFile): TableFooter {
  const [metaindex, index] = handlesIn(footerBytes(file, LEVELDB_BYTES), file.name);
  return {
    checksum: 'crc32c',
    metaindex,
    index,
    wrapping: () => ({ system: 'leveldb', checksum: 'crc32c', modifier: 0 }),
  };
}

/**
 * The last 53 bytes of RocksDB, little-endian: u8 checksum type, 40 bytes, u32 version, and the magic number. Up to
 * version 5, the 40 bytes are two handles and NULs. Later they are 3e 00 7a 00, a u32 checksum of the footer, the u32
 * base of all checksums, the u32 size of the metaindex, which is before the footer, and NULs. Throws a `format` error
 * if it is malformed.
 */
export function readRocksdbFooter(file: PositionedFile, kernel: Kernel): TableFooter {
  const bytes = footerBytes(file, ROCKSDB_BYTES);
  const fields = new DataView(bytes.buffer);
  const version = fields.getUint32(41, true);
  const checksum = TABLE_CHECKSUMS[fields.getUint8(0)];
  if (version === 0 || version > VERSIONS || checksum === undefined)
    throw new BloomError(
      'format',
      `${file.name} is a RocksDB table of format version ${version} with checksum type ${fields.getUint8(0)}, which this bloom does not know`,
      'write the table with a lower format_version',
    );
  if (version < PLACED) {
    const [metaindex, index] = handlesIn(bytes.subarray(1), file.name);
    return { checksum, metaindex, index, wrapping: () => ({ system: 'leveldb', checksum, modifier: 0 }) };
  }
  const base = fields.getUint32(9, true);
  const begin = file.size - ROCKSDB_BYTES;
  const stated = fields.getUint32(5, true);
  fields.setUint32(5, 0, true);
  if (checksum !== 'none' && (sumOf(bytes, checksum, kernel) + placeModifier(base, begin)) >>> 0 !== stated)
    throw damaged(file.name, 'the checksum of its footer does not match');
  const size = fields.getUint32(13, true);
  const metaindex = { offset: begin - TRAILER_BYTES - size, bytes: size };
  return {
    checksum,
    metaindex,
    index: undefined,
    wrapping: (offset) => ({ system: 'leveldb', checksum, modifier: placeModifier(base, offset) }),
  };
}

/** The number that is added to the checksum of a block at an offset: ChecksumModifierForContext of RocksDB. */
function placeModifier(base: number, offset: number): number {
  return base === 0 ? 0 : (base ^ ((offset % 2 ** 32) + Math.floor(offset / 2 ** 32))) >>> 0;
}

function sumOf(bytes: Uint8Array, checksum: TableChecksum, kernel: Kernel): number {
  const address = kernel.reserve(bytes.length);
  const copy = kernel.bytes(address, bytes.length);
  copy.set(bytes);
  return tableChecksum({ kernel, address, bytes: copy }, checksum, bytes.length);
}

function footerBytes(file: PositionedFile, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  if (file.size < length || readAt(file, bytes, file.size - length) < length)
    throw damaged(file.name, 'it ends within its footer');
  return bytes;
}

function handlesIn(bytes: Uint8Array, name: string): [BlockHandle, BlockHandle] {
  const cursor = cursorOf(bytes, name);
  return [handleAt(cursor), handleAt(cursor)];
}
