// What is around the blocks of the tables of LevelDB and RocksDB: behind each are a byte that says how it is compressed, and
// four of a checksum of both.

import { BloomError, damaged } from '../../errors.ts';
import { checksumAt } from '../checksum.ts';
import { crcAt } from '../crc.ts';
import type { RawBlock } from '../raw-block.ts';
import { unsnapped } from './snappy.ts';

export const TRAILER_BYTES = 5;

/** The checksums of blocks, in the order of their numbers in a footer; the first is none. */
export const TABLE_CHECKSUMS = ['none', 'crc32c', 'xxh32', 'xxh64', 'xxh3'] as const;

export type TableChecksum = (typeof TABLE_CHECKSUMS)[number];

/** How a block of a table is compared. */
export interface TableBlock {
  readonly system: 'leveldb';
  readonly checksum: TableChecksum;
  /** What is added to its checksum: it is that of the place of the block. */
  readonly modifier: number;
  /** It may say under which number its keys were taken in, once it was written: the checksum is that of 0. */
  readonly isNumbered?: true;
}

/** What ways to compress a block are called, by their numbers. */
const COMPRESSIONS = ['none', 'Snappy', 'zlib', 'bzip2', 'LZ4', 'LZ4HC', 'XPRESS', 'Zstandard'];

/** What a block holds, with its trailer in kernel memory. Throws a `format` error if it is not what it was. */
export function openTableBlock(raw: RawBlock, block: TableBlock, name: string): Uint8Array {
  const { bytes } = raw;
  const length = bytes.length - TRAILER_BYTES;
  if (!matches(raw, block) && !(block.isNumbered && clearNumber(bytes) && matches(raw, block)))
    throw damaged(name, 'it does not match its checksum');
  const content = bytes.subarray(0, length);
  const compression = bytes[length] ?? 0;
  if (compression === 0) return content;
  if (COMPRESSIONS[compression] === 'Snappy') return unsnapped(content, name);
  throw new BloomError(
    'format',
    `${name} is compressed with ${COMPRESSIONS[compression] ?? `a method of number ${compression}`}, which this bloom cannot read`,
    'write the table without compression of its index',
  );
}

/** Whether a block matches its checksum, if it has one. */
function matches(raw: RawBlock, { checksum, modifier }: TableBlock): boolean {
  const { bytes } = raw;
  const end = bytes.length - TRAILER_BYTES + 1;
  const stated = new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true);
  return checksum === 'none' || (tableChecksum(raw, checksum, end) + modifier) >>> 0 === stated;
}

/** The end of the name of a property whose value are 8 bytes. */
const NUMBER_NAME = Buffer.from('global_seqno');
const NUMBER_BYTES = 8;

/** Makes that property 0, and returns whether there is one. */
function clearNumber(bytes: Uint8Array): boolean {
  const at = Buffer.from(bytes).indexOf(NUMBER_NAME);
  if (at < 0) return false;
  bytes.fill(0, at + NUMBER_NAME.length, at + NUMBER_NAME.length + NUMBER_BYTES);
  return true;
}

/** What RocksDB multiplies the last byte with, where the checksum is xxh3. */
const LAST_BYTE = 0x6b9083d9;

/** The checksum of so many bytes of a block, of which the last says how it is compressed. */
export function tableChecksum({ kernel, address, bytes }: RawBlock, checksum: TableChecksum, length: number): number {
  const { xxh3, xxh32 } = kernel.exports;
  if (checksum === 'crc32c') return masked(crcAt(kernel, 'crc32c', address, length));
  if (checksum === 'xxh32') return xxh32(address, length, 0) >>> 0;
  if (checksum === 'xxh64') return Number(BigInt.asUintN(32, checksumAt(kernel, address, length)));
  const last = bytes[length - 1] ?? 0;
  return (Number(BigInt.asUintN(32, xxh3(address, length - 1, 0n))) ^ Math.imul(last, LAST_BYTE)) >>> 0;
}

/** A CRC of bytes among which there are CRCs: rotated, and a constant more. */
function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
