// Sections of an ORC file: chunks of compressed bytes. A u24le before each chunk has its length and whether it is
// stored uncompressed.

import { BloomError, damaged } from '../../errors.ts';
import { type Decompress, decompressed, lz4, snappy } from '../compressed-blocks.ts';

/** Decompresses a section. `whose` names it in messages. Throws a `format` error if it is damaged. */
export type Sections = (bytes: Uint8Array, whose: string) => Uint8Array;

const NAMES = ['none', 'zlib', 'Snappy', 'LZO', 'LZ4', 'zstd', 'Brotli'] as const;

/** The largest decompressed chunk. Writers use 256 KiB, and lengths have 23 bits. */
const CHUNK_LIMIT = 2 ** 23;

/** The largest decompressed section. */
const SECTION_LIMIT = 2 ** 28;

const HEADER_BYTES = 3;

/**
 * Decompresses sections of a file. `compression` is the number in its postscript. Throws a `format` error if it is
 * unknown.
 */
export async function sectionsOf(file: string, compression: number, blockSize: bigint): Promise<Sections> {
  if (compression === 0) return (bytes) => bytes;
  const decompress = await decompressorOf(file, compression);
  if (blockSize <= 0n || blockSize > CHUNK_LIMIT)
    throw damaged(file, `its postscript states an impossible chunk size, ${blockSize}`);
  return (bytes, whose) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for (let at = 0; at < bytes.length; ) {
      const [low = 0, middle = 0, high = 0] = bytes.subarray(at, at + HEADER_BYTES);
      const header = low | (middle << 8) | (high << 16);
      const from = at + HEADER_BYTES;
      at = from + (header >> 1);
      if (at > bytes.length) throw damaged(whose, 'it ends within a chunk');
      const piece =
        header & 1
          ? bytes.subarray(from, at)
          : decompressed(bytes.subarray(from, at), decompress, Number(blockSize), whose);
      size += piece.length;
      if (size > SECTION_LIMIT)
        throw new BloomError(
          'memory',
          `${whose} is too large for bloom when it is decompressed`,
          'write the file with smaller stripes',
        );
      pieces.push(piece);
    }
    return pieces.length === 1 ? (pieces[0] ?? bytes) : Buffer.concat(pieces);
  };
}

async function decompressorOf(file: string, compression: number): Promise<Decompress> {
  const name = NAMES[compression];
  const { inflateRawSync, zstdDecompressSync } = await import('node:zlib');
  const limited = (maxOutputLength: number) => ({ maxOutputLength });
  if (name === 'zlib') return (bytes, limit) => inflateRawSync(bytes, limited(limit));
  if (name === 'Snappy') return snappy;
  if (name === 'LZ4') return lz4;
  if (name === 'zstd' && zstdDecompressSync !== undefined)
    return (bytes, limit) => zstdDecompressSync(bytes, limited(limit));
  throw new BloomError(
    'format',
    `${file} is compressed with ${name ?? `method ${compression}`}, which bloom cannot decompress here`,
    name === 'zstd' ? 'run bloom with Node 22.15 or newer' : 'write the file with another compression',
  );
}
