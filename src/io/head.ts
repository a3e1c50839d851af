import type { ByteSource } from './source.ts';

/** Bytes that show the type of an input. */
export const HEAD_BYTES = 512;

/**
 * Reads the first bytes of a source: the available bytes, and more while `isUndecided` needs more. A pipe may stay
 * silent for a while, and its first records must be answered at once.
 */
export async function takeHead(source: ByteSource, isUndecided: (head: Uint8Array) => boolean): Promise<Uint8Array> {
  const head = new Uint8Array(HEAD_BYTES);
  let end = 0;
  do {
    const space = head.subarray(end);
    const bytes = source.read(space) ?? (await source.wait(space));
    if (bytes === 0) break;
    end += bytes;
  } while (isUndecided(head.subarray(0, end)));
  return head.subarray(0, end);
}

/** The source with the bytes that were read from its beginning. */
export function putBack(head: Uint8Array, source: ByteSource): ByteSource {
  let done = 0;
  const again = (into: Uint8Array): number => {
    const part = head.subarray(done, done + into.length);
    into.set(part);
    done += part.length;
    return part.length;
  };
  return {
    ...source,
    read: (into) => (done < head.length ? again(into) : source.read(into)),
    wait: async (into) => (done < head.length ? again(into) : source.wait(into)),
  };
}

/** The source without its first bytes, which were read before. */
export function without(bytes: number, source: ByteSource): ByteSource {
  return { ...source, begin: bytes, size: source.size === undefined ? undefined : source.size - bytes };
}
