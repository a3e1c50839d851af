import type { FileRole } from '../errors.ts';
import type { Compression } from './compression.ts';
import { decodedBy } from './decoder.ts';
import { programDecoder } from './program.ts';
import { bytesOf } from './small-file.ts';
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

/** Loaded for the first small file: the import takes as long as decoding a file. */
let zlib: typeof import('node:zlib') | undefined;

/** Bytes of a small file when it is decoded, at most. */
const MOST_DECODED = 8 * 2 ** 20;

/**
 * The source of a small file, which is decoded without a stream: a stream takes longer to make than such a file to decode. Undefined for a
 * large, cut off or corrupt file. A stream then decodes it as far as possible.
 */
async function decodedAtOnce(
  { name, file, whole = file && bytesOf(file), close }: ByteSource,
  compression: Compression['name'],
): Promise<ByteSource | undefined> {
  if (compression !== 'gzip' || whole === undefined) return undefined;
  zlib ??= await import('node:zlib');
  try {
    const options = { info: true, maxOutputLength: MOST_DECODED };
    const { buffer, engine } = zlib.gunzipSync(whole, options) as unknown as Decoded;
    if (engine.bytesWritten !== whole.length) return undefined;
    const { read, wait } = memorySource(name, buffer);
    let consumed = whole.length;
    return {
      name,
      size: undefined,
      whole: buffer,
      read,
      wait,
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

/** The result of Node's functions with `info`. */
interface Decoded {
  readonly buffer: Uint8Array;
  /** `bytesWritten` are the compressed bytes that were used. */
  readonly engine: { readonly bytesWritten: number };
}
