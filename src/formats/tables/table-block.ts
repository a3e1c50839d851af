// The trailer of a block of LevelDB and RocksDB: one byte with the compression, and four bytes with a checksum of the
// block and that byte.

import { BloomError, damaged } from '../../errors.ts';
import { checksumAt } from '../checksum.ts';
import { decompressed, snappy } from '../compressed-blocks.ts';
import { crcAt } from '../crc.ts';
import type { RawBlock } from '../raw-block.ts';

export const TRAILER_BYTES = 5;

/** The checksums of blocks in the order of their numbers in a footer. The first number means no checksum. */
export const TABLE_CHECKSUMS = ['none', 'crc32c', 'xxh32', 'xxh64', 'xxh3'] as const;

export type TableChecksum = (typeof TABLE_CHECKSUMS)[number];

/** How a block of a table is verified. */
export interface TableBlock {
  readonly system: 'leveldb';
  readonly checksum: TableChecksum;
  /** The number that is added to its checksum. It depends on the position of the block. */
  readonly modifier: number;
  /** The block may have the number of an ingestion, which was set after the checksum was made with 0. */
  readonly isNumbered?: true;
}

/** The names of compressions by their numbers. */
const COMPRESSIONS = ['none', 'Snappy', 'zlib', 'bzip2', 'LZ4', 'LZ4HC', 'XPRESS', 'Zstandard'];

/** The content of a block. The block and its trailer are in kernel memory. Throws a `format` error if it is damaged. */
export function openTableBlock(raw: RawBlock, block: TableBlock, name: string): Uint8Array {
  const { bytes } = raw;
  const length = bytes.length - TRAILER_BYTES;
  if (!matches(raw, block) && !(block.isNumbered && clearNumber(bytes) && matches(raw, block)))
    throw damaged(name, 'its checksum does not match');
  const content = bytes.subarray(0, length);
  const compression = bytes[length] ?? 0;
  if (compression === 0) return content;
  if (COMPRESSIONS[compression] === 'Snappy') return decompressed(content, snappy, GROWTH_LIMIT * length, name);
  throw new BloomError(
    'format',
    `${name} is compressed with ${COMPRESSIONS[compression] ?? `method ${compression}`}, which bloom cannot read`,
    'write the table with an uncompressed index',
  );
}

/** A tag of Snappy with three bytes stands for 64 bytes at most. */
const GROWTH_LIMIT = 22;

/** Whether a block matches its checksum, if it has one. */
function matches(raw: RawBlock, { checksum, modifier }: TableBlock): boolean {
  const { bytes } = raw;
  const end = bytes.length - TRAILER_BYTES + 1;
  const stated = new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true);
  return checksum === 'none' || (tableChecksum(raw, checksum, end) + modifier) >>> 0 === stated;
}

/** The end of the name of a property whose value has 8 bytes. */
const NUMBER_NAME = Buffer.from('global_seqno');
const NUMBER_BYTES = 8;

/** Sets that property to 0. Returns whether the block has it. */
function clearNumber(bytes: Uint8Array): boolean {
  const at = Buffer.from(bytes).indexOf(NUMBER_NAME);
  if (at < 0) return false;
  bytes.fill(0, at + NUMBER_NAME.length, at + NUMBER_NAME.length + NUMBER_BYTES);
  return true;
}

/** The factor of the last byte in RocksDB's xxh3 checksum. */
const LAST_BYTE = 0x6b9083d9;

/** The checksum of this many bytes of a block. The last byte has the compression. */
export function tableChecksum({ kernel, address, bytes }: RawBlock, checksum: TableChecksum, length: number): number {
  const { xxh3, xxh32 } = kernel.exports;
  if (checksum === 'crc32c') return masked(crcAt(kernel, 'crc32c', address, length));
  if (checksum === 'xxh32') return xxh32(address, length, 0) >>> 0;
  if (checksum === 'xxh64') return Number(BigInt.asUintN(32, checksumAt(kernel, address, length)));
  const last = bytes[length - 1] ?? 0;
  return (Number(BigInt.asUintN(32, xxh3(address, length - 1, 0n))) ^ Math.imul(last, LAST_BYTE)) >>> 0;
}

/** A CRC of bytes that contain CRCs: rotated, plus a constant. */
function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
