import type { Kernel } from '../../kernel/kernel.ts';
import { rangeOf, type SharedGeometry } from '../../sizing/share.ts';
import type { Digests } from '../input/digests.ts';

/** Tells the digests of a part of a filter from those of others. */
export interface RangeKeeper {
  /** Those of the part, in their order and in the place of all. */
  keep(digests: Digests): Digests;
  /** Digests of other parts that were dropped. */
  dropped(): number;
}

/** What keeps the digests of the segments that there are, whose owners nobody asks for: all of them unless these are a part. */
export function createRangeKeeper(kernel: Kernel, shape: SharedGeometry): RangeKeeper {
  const { first, count: held, of } = rangeOf(shape);
  if (held === of) return { keep: (digests) => digests, dropped: () => 0 };
  let dropped = 0;
  return {
    keep(digests) {
      const count = kernel.exports.keepRange(digests.address, digests.count, of, first, held) >>> 0;
      dropped += digests.count - count;
      return { ...digests, count };
    },
    dropped: () => dropped,
  };
}
