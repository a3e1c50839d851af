import type { ByteSource } from './source.ts';

/** The capacity of a pipe. */
const PIPE_BYTES = 64 * 1024;

/**
 * The same source, which is read in pieces of at least a pipe's capacity. Each read has a fixed cost, even for a few
 * bytes.
 */
export function buffered(source: ByteSource): ByteSource {
  const buffer = new Uint8Array(PIPE_BYTES);
  let rest = buffer.subarray(0, 0);
  const take = (into: Uint8Array): number => {
    const part = rest.subarray(0, into.length);
    into.set(part);
    rest = rest.subarray(part.length);
    return part.length;
  };
  return {
    ...source,
    read: (into) => (rest.length > 0 ? take(into) : source.read(into)),
    async wait(into) {
      if (rest.length === 0) {
        if (into.length >= PIPE_BYTES) return source.wait(into);
        rest = buffer.subarray(0, await source.wait(buffer));
      }
      return take(into);
    },
  };
}
