import type { ByteSource } from '../../src/io/source.ts';
import { below, type Random } from '../reference/random.ts';

/** How a source delivers its bytes: the most per read, and the share of reads that would block. */
export interface Dealing {
  readonly most: number;
  readonly blocking: number;
}

/** Bytes in memory that arrive as from a pipe: in pieces of random size, with pauses. */
export function piecewise(bytes: Uint8Array, random: Random, { most, blocking }: Dealing): ByteSource {
  let done = 0;
  const deal = (into: Uint8Array): number => {
    const part = bytes.subarray(done, done + Math.min(into.length, 1 + below(random, most)));
    into.set(part);
    done += part.length;
    return part.length;
  };
  return {
    name: 'pieces',
    size: undefined,
    read: (into) => (random() / 2 ** 32 < blocking ? undefined : deal(into)),
    wait: async (into) => deal(into),
    close: () => {},
  };
}
