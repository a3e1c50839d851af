import type { FileRole } from '../errors.ts';
import type { Compression } from './compression.ts';
import { decodedBy } from './decoder.ts';
import { programDecoder } from './program.ts';
import type { ByteSource } from './source.ts';
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
  const encoded = { name: source.name, content, compression };
  const decoder = (await zlibDecoder(encoded)) ?? (await programDecoder(encoded));
  return decodedBy(decoder, source);
}
