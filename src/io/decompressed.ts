import type { FileRole } from '../errors.ts';
import type { Compression } from './compression.ts';
import { decodedBy } from './decoder.ts';
import { programDecoder } from './program.ts';
import type { ByteSource } from './source.ts';
import { zlibDecoder } from './zlib.ts';

/**
 * What a compressed source stands for. As of a pipe, one cannot know how much that is, nor that it is there already.
 * A stream that is cut off or corrupt is an `input` error, of records an `UnreadableInput`, when it is read to there.
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
