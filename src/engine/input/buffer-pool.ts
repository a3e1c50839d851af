/**
 * The memory of chunks that are not read from a file by whoever scans them. A buffer has one owner at any time: who took
 * it, until it is part of a chunk; then the thread that the chunk is handed to, until it has replied; then, given back,
 * the pool.
 */
export interface BufferPool {
  /** Hands out a buffer of the pool's length, or of a larger one. */
  take(length?: number): Uint8Array;
  /** Takes back a buffer, or the part of it that became a chunk: nobody reads or writes it any more. */
  giveBack(bytes: Uint8Array): void;
}

/** A pool of buffers that threads share, of a length in bytes. It makes as many as are out at the same time. */
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
      // What two had at once would lose keys without a word.
      if (!out.delete(buffer)) throw new Error('a buffer was given back by who did not have it');
      // Larger ones were for one record each.
      if (buffer.byteLength === length) free.push(new Uint8Array(buffer));
    },
  };
}
