/**
 * The memory of chunks that the scanning thread does not read from a file itself. A buffer always has one owner.
 * - First the reader owns the buffer, until the buffer is part of a chunk.
 * - Then the thread that gets the chunk owns the buffer, until the thread has replied.
 * - At last the pool gets the buffer back.
 */
export interface BufferPool {
  /** Returns a buffer of the pool's length, or a longer one. */
  take(length?: number): Uint8Array;
  /** Returns a buffer to the pool, or the part of it that became a chunk; nothing may use it any more. */
  giveBack(bytes: Uint8Array): void;
}

/** A pool of buffers that threads share, of `length` bytes each. It has as many as are in use at the same time. */
export function createBufferPool(length: number): BufferPool {
  const free: Uint8Array[] = [];
  const out = new Set<ArrayBufferLike>();
  return {
    take(wanted = length) {
      const known = wanted <= length ? free.pop() : undefined;
      const buffer = known ?? new Uint8Array(new SharedArrayBuffer(Math.max(wanted, length)));
      out.add(buffer.buffer);
      return buffer;
    },
    giveBack({ buffer }) {
      // A buffer with two owners would silently lose keys.
      if (!out.delete(buffer)) throw new Error('a buffer was given back by who did not have it');
      // A longer buffer was for a single record.
      if (buffer.byteLength === length) free.push(new Uint8Array(buffer));
    },
  };
}
