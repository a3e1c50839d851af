// Sections of an ORC file: chunks of compressed bytes, each behind a u24le of its length and whether it is as it was.

import { BloomError, damaged } from '../../errors.ts';
import { type Decompress, lz4, snappy } from './blocks.ts';

/** What a section stands for. `whose` it is, for messages. Throws a `format` error for one that is damaged. */
export type Sections = (bytes: Uint8Array, whose: string) => Uint8Array;

const NAMES = ['none', 'zlib', 'Snappy', 'LZO', 'LZ4', 'zstd', 'Brotli'] as const;

/** Bytes of a chunk that is decompressed, at most: writers have 256 KiB, and lengths have 23 bits. */
const CHUNK_LIMIT = 2 ** 23;

/** Bytes of a section that is decompressed, at most. */
const SECTION_LIMIT = 2 ** 28;

const HEADER_BYTES = 3;

/** Reads sections of a file whose postscript gives a number to its compression. Throws a `format` error for one that is not known. */
export async function sectionsOf(file: string, compression: number, blockSize: bigint): Promise<Sections> {
  if (compression === 0) return (bytes) => bytes;
  const decompress = await decompressorOf(file, compression);
  if (blockSize <= 0n || blockSize > CHUNK_LIMIT)
    throw damaged(file, `its postscript gives an impossible size of chunks, ${blockSize}`);
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
        header & 1 ? bytes.subarray(from, at) : chunk(bytes.subarray(from, at), decompress, blockSize, whose);
      size += piece.length;
      if (size > SECTION_LIMIT)
        throw new BloomError('memory', `${whose} has more bytes than this program decompresses`, 'use smaller stripes');
      pieces.push(piece);
    }
    return pieces.length === 1 ? (pieces[0] ?? bytes) : Buffer.concat(pieces);
  };
}

function chunk(bytes: Uint8Array, decompress: Decompress, blockSize: bigint, whose: string): Uint8Array {
  try {
    return decompress(bytes, Number(blockSize));
  } catch (error) {
    throw damaged(whose, `it cannot be decompressed: ${error instanceof Error ? error.message : String(error)}`);
  }
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
    `${file} is compressed with ${name ?? `method ${compression}`}, which this bloom does not undo`,
    name === 'zstd' ? 'use Node 22.15 or newer' : 'write it with another compression',
  );
}
