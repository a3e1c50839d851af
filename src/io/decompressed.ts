import type { FileRole } from '../errors.ts';
import type { Compression } from './compression.ts';
import { decodedBy } from './decoder.ts';
import { readAt } from './positioned.ts';
import { programDecoder } from './program.ts';
import { type ByteSource, memorySource } from './source.ts';
import { zlibDecoder } from './zlib.ts';

/**
 * A source of the decompressed bytes. Their number is unknown, and reading may have to wait, as in a pipe. A stream
 * that is cut off or corrupt throws when it is read up to the damage: an `UnreadableInput` for records, else an `input`
 * error.
 */
export async function decompressed(
  source: ByteSource,
  { name: compression }: Compression,
  content: FileRole,
): Promise<ByteSource> {
  const small = await decodedAtOnce(source, compression);
  if (small !== undefined) return small;
  const encoded = { name: source.name, content, compression };
  const decoder = (await zlibDecoder(encoded)) ?? (await programDecoder(encoded));
  return decodedBy(decoder, source);
}

/** Compressed bytes of a file that is decoded at once: a stream of Node takes longer to make than such a file to decode. */
const SMALL = 128 * 1024;
const MOST_DECODED = 8 * 2 ** 20;

/** The source of a small file; undefined for a file that is not small and sound, which a stream decodes as far as it can be. */
async function decodedAtOnce(
  { name, file, close }: ByteSource,
  compression: Compression['name'],
): Promise<ByteSource | undefined> {
  if (compression !== 'gzip' || file === undefined || file.size > SMALL) return undefined;
  const bytes = new Uint8Array(file.size);
  if (readAt(file, bytes, 0) !== bytes.length) return undefined;
  const { gunzipSync } = await import('node:zlib');
  try {
    const options = { info: true, maxOutputLength: MOST_DECODED };
    const { buffer, engine } = gunzipSync(bytes, options) as unknown as Decoded;
    if (engine.bytesWritten !== bytes.length) return undefined;
    let consumed = bytes.length;
    return {
      ...memorySource(name, buffer),
      size: undefined,
      consumed() {
        const before = consumed;
        consumed = 0;
        return before;
      },
      close,
    };
  } catch {
    return undefined;
  }
}

/** What Node gives with `info`. */
interface Decoded {
  readonly buffer: Uint8Array;
  /** `bytesWritten` are the compressed bytes that were used. */
  readonly engine: { readonly bytesWritten: number };
}
