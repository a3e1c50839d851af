// The blocks of an HFile, big-endian: 8 letters, i32 bytes behind the header, i32 bytes that its content has, i64 where the
// last such block is, u8 checksum, i32 bytes of which there is each, i32 bytes with the header but without checksums; its
// content, perhaps compressed; and the checksums.

import { createRequire } from 'node:module';
import { damaged } from '../../errors.ts';
import { type CrcName, crcAt } from '../crc.ts';
import type { RawBlock } from '../raw-block.ts';

export const BLOCK_HEADER_BYTES = 33;

/** How the content of a block is compressed. */
export type BlockCodec = 'none' | 'gzip';

/** What a block is, and how its content is compressed. */
export interface HFileBlock {
  readonly system: 'hbase';
  readonly magic: string;
  readonly codec: BlockCodec;
}

/** What the header of a block says. */
export interface BlockHeader {
  readonly magic: string;
  /** Bytes in the file, with the header and the checksums. */
  readonly bytes: number;
  /** Bytes of its content, once that is decompressed. */
  readonly contentBytes: number;
  /** Bytes in the file without the checksums. */
  readonly summedBytes: number;
  /** The number of its checksum, and of how many bytes there is each. */
  readonly checksum: number;
  readonly bytesEach: number;
}

/** Gzip makes 1032 bytes of one at most. */
const GROWTH_LIMIT = 1032;

/** Reads the header of a block of which there are so many bytes at most. Throws a `format` error for what is none. */
export function blockHeader(header: DataView, codec: BlockCodec, room: number, name: string): BlockHeader {
  const magic = Buffer.from(header.buffer, header.byteOffset, 8).toString('latin1');
  const bytes = BLOCK_HEADER_BYTES + header.getInt32(8);
  const contentBytes = header.getInt32(12);
  const [checksum, bytesEach, summedBytes] = [header.getUint8(24), header.getInt32(25), header.getInt32(29)];
  const stored = summedBytes - BLOCK_HEADER_BYTES;
  const isPossible = codec === 'none' ? contentBytes === stored : contentBytes <= GROWTH_LIMIT * stored;
  if (stored < 0 || summedBytes > bytes || bytes > room || contentBytes < 0 || !isPossible)
    throw damaged(name, `its header promises ${contentBytes} bytes of ${stored}, and ${bytes} in all`);
  return { magic, bytes, contentBytes, summedBytes, checksum, bytesEach };
}

/** Checksums by their numbers; the first is none. */
const CHECKSUMS: readonly (CrcName | undefined)[] = [undefined, 'crc32', 'crc32c'];

/** What a block holds that is in kernel memory. Throws a `format` error if it is not what it was. */
export function openHFileBlock(raw: RawBlock, { magic, codec }: HFileBlock, name: string): Uint8Array {
  const { bytes } = raw;
  const fields = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const header = blockHeader(fields, codec, bytes.length, name);
  requireSums(raw, header, name);
  if (header.magic !== magic) throw damaged(name, `it is no ${magic}`);
  const content = bytes.subarray(BLOCK_HEADER_BYTES, header.summedBytes);
  if (codec === 'none') return content;
  const whole = gunzipped(content, header.contentBytes, name);
  if (whole.length !== header.contentBytes)
    throw damaged(name, `it has ${whole.length} bytes where its header promises ${header.contentBytes}`);
  return whole;
}

/** Throws a `format` error for a block that does not match its checksums, each of so many of its bytes. */
function requireSums({ kernel, address, bytes }: RawBlock, header: BlockHeader, name: string): void {
  const { checksum, bytesEach, summedBytes } = header;
  if (checksum >= CHECKSUMS.length) throw damaged(name, `it has checksums of a sort that nobody knows, ${checksum}`);
  const crc = CHECKSUMS[checksum];
  if (crc === undefined) return;
  const count = bytesEach > 0 ? Math.ceil(summedBytes / bytesEach) : Number.POSITIVE_INFINITY;
  if (summedBytes + 4 * count !== header.bytes) throw damaged(name, 'it has not as many checksums as it should');
  const fields = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let i = 0; i < count; i++) {
    const from = i * bytesEach;
    const stated = fields.getUint32(summedBytes + 4 * i);
    if (crcAt(kernel, crc, address + from, Math.min(bytesEach, summedBytes - from)) !== stated)
      throw damaged(name, 'it does not match its checksum');
  }
}

function gunzipped(content: Uint8Array, length: number, name: string): Uint8Array {
  try {
    // What shares memory with other threads is not decompressed.
    // Here, as it takes time to load, and whoever reads a page cannot wait for an import().
    const { gunzipSync }: typeof import('node:zlib') = createRequire(import.meta.url)('node:zlib');
    return gunzipSync(content.slice(), { maxOutputLength: Math.max(1, length) });
  } catch {
    throw damaged(name, 'it cannot be decompressed');
  }
}
