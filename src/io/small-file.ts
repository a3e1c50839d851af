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
