import type { FileRole } from '../errors.ts';
import type { Compression } from './compression.ts';
import { decodedBy } from './decoder.ts';
import { programDecoder } from './program.ts';
import { bytesOf, decodedAtOnce, decodedSource } from './small-file.ts';
import type { ByteSource } from './source.ts';
import { zlibDecoder } from './zlib.ts';

/**
 * A source of the decompressed bytes. Their number is unknown, and reading may have to wait, as in a pipe. A stream
 * that is cut off or corrupt throws when it is read up to the damage: an `UnreadableInput` for records, else an `input`
 * error.
 */
export async function decompressed(
  source: ByteSource,
  compression: Compression,
  content: FileRole,
): Promise<ByteSource> {
  const { file, whole = file && bytesOf(file) } = source;
  const small = whole && (await decodedAtOnce(whole, compression));
  if (whole && small) return decodedSource(source, small, whole.length);
  const encoded = { name: source.name, content, compression: compression.name };
  const decoder = (await zlibDecoder(encoded)) ?? (await programDecoder(encoded));
  return decodedBy(decoder, source);
}
