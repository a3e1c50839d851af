import type { Transform } from 'node:stream';
import type { Zlib } from 'node:zlib';
import { createNews, type Decoder, type Encoded, undecodable } from './decoder.ts';
import { piecesOf } from './pieces.ts';

/** Bytes per decoded chunk. */
const CHUNK = 256 * 1024;

/** A decoder of Node, which works in other threads; undefined if Node does not support the compression. */
export async function zlibDecoder(encoded: Encoded): Promise<Decoder | undefined> {
  const { compression } = encoded;
  if (compression !== 'gzip' && compression !== 'zstd') return undefined;
  const { createGunzip, createZstdDecompress, zstdDecompressSync } = await import('node:zlib');
  const options = { chunkSize: CHUNK };
  if (compression === 'gzip') return streamDecoder(createGunzip(options), encoded);
  if (createZstdDecompress === undefined || !readsAllFrames(zstdDecompressSync)) return undefined;
  return streamDecoder(createZstdDecompress(options), encoded);
}

/** The letter A as a zstd frame. */
const FRAME = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 9, 0, 0, 65];

/** Whether Node decodes all frames of a file. Before version 26, Node ended after the first frame without an error. */
function readsAllFrames(decompress: typeof import('node:zlib').zstdDecompressSync): boolean {
  return decompress?.(Uint8Array.from([...FRAME, ...FRAME])).length === 2;
}

function streamDecoder(stream: Transform & Zlib, encoded: Encoded): Decoder {
  const news = createNews();
  let failure: Error | undefined;
  let given = 0;
  let last: Uint8Array = new Uint8Array();
  let isBusy = false;
  let isAllGiven = false;
  let isDone = false;
  const fail = ({ message }: Error) => {
    failure ??= undecodable(encoded, message);
    news.tell();
  };
  /** Bytes after the end of the stream. NULs are skipped, as gzip does, because tapes are padded with NULs. */
  const passOver = (bytes: Uint8Array) => {
    if (bytes.some((byte) => byte !== 0)) fail(new Error('it has other data after its end'));
  };
  const pieces = piecesOf(stream, news.tell);
  stream.on('error', fail);
  stream.on('end', () => {
    isDone = true;
    // The stream does not call back for bytes after its end.
    isBusy = false;
    passOver(last.subarray(last.length - (given - stream.bytesWritten)));
    news.tell();
  });
  return {
    take(into) {
      const bytes = pieces.take(into);
      if (bytes > 0) return bytes;
      if (failure !== undefined) throw failure;
      return isDone && isAllGiven ? 0 : undefined;
    },
    isReady: () => !isBusy && !isAllGiven,
    give(bytes) {
      isAllGiven = bytes.length === 0;
      if (isDone) return passOver(bytes);
      if (isAllGiven) return void stream.end();
      isBusy = true;
      last = bytes;
      given += bytes.length;
      stream.write(bytes, () => {
        isBusy = false;
        news.tell();
      });
    },
    change: news.next,
    close: () => void stream.destroy(),
  };
}
