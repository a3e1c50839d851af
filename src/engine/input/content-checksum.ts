import { checksumOf } from '../../formats/checksum.ts';
import { closePositioned, openPositioned, readAt } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';

/** Bytes that are read at once. The checksum depends on it. */
const PIECE = 2 ** 20;

/**
 * A checksum of the bytes of a file as they are stored: the XXH64 of each piece, whose seed is the checksum of the pieces before. 0 if it
 * is not a regular file. Throws `UnreadableInput`.
 */
export function contentChecksum(kernel: Kernel, name: string): bigint {
  const file = openPositioned(name, 'records');
  if (file === undefined) return 0n;
  try {
    const space = new Uint8Array(Math.min(PIECE, file.size + 1));
    let checksum = 0n;
    for (let at = 0; ; at += PIECE) {
      const bytes = space.subarray(0, readAt(file, space, at));
      if (at === 0 || bytes.length > 0) checksum = checksumOf(kernel, bytes, checksum);
      if (bytes.length < PIECE) return checksum;
    }
  } finally {
    closePositioned(file);
  }
}
