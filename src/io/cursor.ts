import { readAt } from './positioned.ts';
import { type ByteSource, readFully } from './source.ts';

/** Reads bytes of a source in order, and can skip some. */
export interface Cursor {
  /** The number of bytes before the next byte. */
  position(): number;
  /** The next bytes; fewer at the end. */
  take(length: number): Promise<Uint8Array>;
  /** Skips bytes. In a file the cursor can go past the end. */
  skip(length: number): Promise<void>;
}

/** Bytes of a read for a short `take`, and of a read that skips bytes of a pipe. */
const FEW = 512;
const MANY = 2 ** 16;

/** A cursor at the beginning of a source. The cursor may have read more of the source than it has returned. */
export function createCursor(source: ByteSource): Cursor {
  let position = 0;
  let ahead = new Uint8Array(0);
  const read = async (into: Uint8Array) =>
    source.file === undefined ? readFully(source, into) : readAt(source.file, into, position + ahead.length);
  const take = async (length: number) => {
    if (ahead.length < length) {
      const bytes = new Uint8Array(Math.max(length, FEW));
      bytes.set(ahead);
      ahead = bytes.subarray(0, ahead.length + (await read(bytes.subarray(ahead.length))));
    }
    const found = ahead.subarray(0, length);
    ahead = ahead.subarray(found.length);
    position += found.length;
    return found;
  };
  return {
    position: () => position,
    take,
    async skip(length) {
      if (source.file !== undefined) {
        ahead = ahead.subarray(length);
        position += length;
        return;
      }
      for (let left = length; left > 0; ) {
        const { length: skipped } = await take(Math.min(left, MANY));
        if (skipped === 0) return;
        left -= skipped;
      }
    },
  };
}
