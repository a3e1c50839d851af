import { openSync } from 'node:fs';
import type { Compression } from './compression.ts';
import { closeQuietly, readNow } from './descriptors.ts';
import { putBack } from './head.ts';
import { type PositionedFile, readAt } from './positioned.ts';
import { type ByteSource, memorySource } from './source.ts';

/** Bytes of a file that is read at once: the system calls of thousands of small files take as long as the work on their bytes. */
const SMALL = 128 * 1024;

/** All bytes of a small file; undefined for any other. */
export function bytesOf(file: PositionedFile): Uint8Array | undefined {
  if (file.size > SMALL) return undefined;
  const bytes = new Uint8Array(file.size);
  return readAt(file, bytes, 0) === bytes.length ? bytes : undefined;
}

/** All bytes of a small file that had `size` bytes. Undefined if it is larger, has another size now or cannot be read. */
export function readAtOnce(name: string, size: number): Uint8Array | undefined {
  if (size > SMALL) return undefined;
  const space = new Uint8Array(size + 1);
  try {
    const fd = openSync(name, 'r');
    try {
      return readNow(fd, space, null) === size ? space.subarray(0, size) : undefined;
    } finally {
      closeQuietly(fd);
    }
  } catch {
    return undefined;
  }
}

/**
 * The source with its bytes in memory if it is a small file that was not read yet. The rest of a file that grows meanwhile is read from the
 * file.
 */
export function readIfSmall(source: ByteSource): ByteSource {
  const { name, size, file, close } = source;
  if (file === undefined || file.size > SMALL) return source;
  const space = new Uint8Array(file.size + 1);
  const bytes = space.subarray(0, source.read(space));
  if (bytes.length !== file.size) return putBack(bytes, source);
  const { read, wait } = memorySource(name, bytes);
  return { name, size, file, read, wait, whole: bytes, close };
}

/** Loaded for the first file: the import takes as long as decoding a file. */
let zlib: typeof import('node:zlib') | undefined;

/** Bytes of a small file when it is decoded, at most. */
const MOST_DECODED = 8 * 2 ** 20;

/** The result of Node's functions with `info`. */
interface Decoded {
  readonly buffer: Uint8Array;
  /** `bytesWritten` are the compressed bytes that were used. */
  readonly engine: { readonly bytesWritten: number };
}

/**
 * The content of a small gzip file, which is decoded without a stream: a stream takes longer to make than such a file to decode. Undefined
 * for a large, cut off or corrupt file, and for another compression. A stream then decodes it as far as possible.
 */
export async function decodedAtOnce(
  whole: Uint8Array,
  { name: compression }: Compression,
): Promise<Uint8Array | undefined> {
  if (compression !== 'gzip') return undefined;
  zlib ??= await import('node:zlib');
  try {
    const options = { info: true, maxOutputLength: MOST_DECODED };
    const { buffer, engine } = zlib.gunzipSync(whole, options) as unknown as Decoded;
    return engine.bytesWritten === whole.length ? buffer : undefined;
  } catch {
    return undefined;
  }
}

/** The source of a small file with this content, decoded from `length` bytes. */
export function decodedSource({ name, close }: ByteSource, content: Uint8Array, length: number): ByteSource {
  const { read, wait } = memorySource(name, content);
  let left = length;
  const consumed = () => {
    const before = left;
    left = 0;
    return before;
  };
  return { name, size: undefined, read, wait, consumed, close };
}
