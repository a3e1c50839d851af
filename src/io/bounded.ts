import type { ByteSource } from './source.ts';

/** A source that ends before the end of the source below. */
export interface BoundedSource extends ByteSource {
  /** Ends the source after `bytes` bytes, counted from its beginning. */
  endAt(bytes: number): void;
}

/**
 * The rest of a source that can only be read in order, under another name. To close the bounded source does not close
 * the source below.
 */
export function boundedSource(name: string, source: ByteSource): BoundedSource {
  let left = Number.POSITIVE_INFINITY;
  let done = 0;
  const within = (into: Uint8Array) => into.subarray(0, Math.min(into.length, left));
  const noted = (bytes: number) => {
    done += bytes;
    left -= bytes;
    return bytes;
  };
  return {
    name,
    size: undefined,
    read(into) {
      const bytes = left === 0 ? 0 : source.read(within(into));
      return bytes === undefined ? undefined : noted(bytes);
    },
    wait: async (into) => (left === 0 ? 0 : noted(await source.wait(within(into)))),
    close() {},
    endAt(bytes) {
      left = bytes - done;
    },
  };
}
