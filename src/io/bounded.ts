import type { ByteSource } from './source.ts';

/** A source that ends before the one that it reads from does. */
export interface BoundedSource extends ByteSource {
  /** Lets it end after so many bytes, counted from its beginning. */
  endAt(bytes: number): void;
}

/** What comes next in a source that can only be read in order, by a name of its own; closing it closes nothing. */
export function boundedSource(name: string, source: ByteSource): BoundedSource {
  let left = Number.POSITIVE_INFINITY;
  let done = 0;
  const within = (into: Uint8Array) => into.subarray(0, Math.min(into.length, left));
  const taken = (bytes: number) => {
    done += bytes;
    left -= bytes;
    return bytes;
  };
  return {
    name,
    size: undefined,
    read(into) {
      const bytes = left === 0 ? 0 : source.read(within(into));
      return bytes === undefined ? undefined : taken(bytes);
    },
    wait: async (into) => (left === 0 ? 0 : taken(await source.wait(within(into)))),
    close() {},
    endAt(bytes) {
      left = bytes - done;
    },
  };
}
