// A block of an HFile, big-endian: 8 letters, i32 bytes after the header, i32 bytes of the content, i64 offset of the
// previous block of this type, u8 checksum type, i32 bytes per checksum, i32 bytes with the header but without
// checksums; then the content, which may be compressed, and the checksums.

import { createRequire } from 'node:module';
import { damaged } from '../../errors.ts';
import { type CrcName, crcAt } from '../crc.ts';
import type { RawBlock } from '../raw-block.ts';

export const BLOCK_HEADER_BYTES = 33;

/** The compression of the content of a block. */
export type BlockCodec = 'none' | 'gzip';

/** The type of a block and the compression of its content. */
export interface HFileBlock {
  readonly system: 'hbase';
  readonly magic: string;
  readonly codec: BlockCodec;
}

/** The fields of the header of a block. */
export interface BlockHeader {
  readonly magic: string;
  /** Bytes in the file, with the header and the checksums. */
  readonly bytes: number;
  /** Bytes of the content after decompression. */
  readonly contentBytes: number;
  /** Bytes in the file without the checksums. */
  readonly summedBytes: number;
  /** The type of the checksums. Each checksum covers `summedEach` bytes. */
  readonly checksum: number;
  readonly bytesEach: number;
}

/** gzip compresses by a factor of at most 1032. */
const GROWTH_LIMIT = 1032;

/**
 * Reads the header of a block. `most` is the largest possible size of the block. Throws a `format` error if it is
 * malformed.
 */
export function blockHeader(header: DataView, codec: BlockCodec, most: number, name: string): BlockHeader {
  const magic = Buffer.from(header.buffer, header.byteOffset, 8).toString('latin1');
  const bytes = BLOCK_HEADER_BYTES + header.getInt32(8);
  const contentBytes = header.getInt32(12);
  const [checksum, bytesEach, summedBytes] = [header.getUint8(24), header.getInt32(25), header.getInt32(29)];
  const stored = summedBytes - BLOCK_HEADER_BYTES;
  const isPossible = codec === 'none' ? contentBytes === stored : contentBytes <= GROWTH_LIMIT * stored;
  if (stored < 0 || summedBytes > bytes || bytes > most || contentBytes < 0 || !isPossible)
    throw damaged(name, `its header states ${contentBytes} bytes of ${stored}, and ${bytes} in total`);
  return { magic, bytes, contentBytes, summedBytes, checksum, bytesEach };
}

/** Types of checksums by their numbers. The first number means no checksum. */
const CHECKSUMS: readonly (CrcName | undefined)[] = [undefined, 'crc32', 'crc32c'];

/** The content of a block that is in kernel memory. Throws a `format` error if the block is damaged. */
export function openHFileBlock(raw: RawBlock, { magic, codec }: HFileBlock, name: string): Uint8Array {
  const { bytes } = raw;
  const fields = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const header = blockHeader(fields, codec, bytes.length, name);
  requireSums(raw, header, name);
  if (header.magic !== magic) throw damaged(name, `it does not begin with ${magic}`);
  const content = bytes.subarray(BLOCK_HEADER_BYTES, header.summedBytes);
  if (codec === 'none') return content;
  const whole = gunzipped(content, header.contentBytes, name);
  if (whole.length !== header.contentBytes)
    throw damaged(name, `it has ${whole.length} bytes instead of the ${header.contentBytes} of its header`);
  return whole;
}

/** Throws a `format` error if a checksum of the block does not match. */
function requireSums({ kernel, address, bytes }: RawBlock, header: BlockHeader, name: string): void {
  const { checksum, bytesEach, summedBytes } = header;
  if (checksum >= CHECKSUMS.length) throw damaged(name, `it has checksums of an unknown type, ${checksum}`);
  const crc = CHECKSUMS[checksum];
  if (crc === undefined) return;
  const count = bytesEach > 0 ? Math.ceil(summedBytes / bytesEach) : Number.POSITIVE_INFINITY;
  if (summedBytes + 4 * count !== header.bytes) throw damaged(name, 'it has a wrong number of checksums');
  const fields = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let i = 0; i < count; i++) {
    const from = i * bytesEach;
    const stated = fields.getUint32(summedBytes + 4 * i);
    if (crcAt(kernel, crc, address + from, Math.min(bytesEach, summedBytes - from)) !== stated)
      throw damaged(name, 'its checksum does not match');
  }
}

function gunzipped(content: Uint8Array, length: number, name: string): Uint8Array {
  try {
    // gunzipSync does not accept memory that is shared with other threads. zlib takes time to load, and readers of
    // pages cannot wait for an import().
    const { gunzipSync }: typeof import('node:zlib') = createRequire(import.meta.url)('node:zlib');
    return gunzipSync(content.slice(), { maxOutputLength: Math.max(1, length) });
  } catch {
    throw damaged(name, 'it cannot be decompressed');
  }
}
