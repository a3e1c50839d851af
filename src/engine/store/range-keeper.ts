import type { Kernel } from '../../kernel/kernel.ts';
import { isPart, type SegmentRange } from '../../sizing/share.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';

/** Keeps the digests that belong to a part of a filter. */
export interface RangeKeeper {
  /** The digests of the part, in their order. They overwrite the given ones. */
  keep(digests: Digests): Digests;
  /** The number of digests of other parts, which were discarded. */
  dropped(): number;
}

/** Keeps the digests of a range of segments, without their owners. A range of all segments keeps every digest. */
export function createRangeKeeper(kernel: Kernel, range: SegmentRange): RangeKeeper {
  const { first, count: held, of } = range;
  if (!isPart(range)) return { keep: (digests) => digests, dropped: () => 0 };
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

/** Keeps the digests of a part for records that are answered by several keys. */
export interface OwnedKeeper {
  /** The digests of the part, in their order; the given digests are not changed. */
  keep(digests: Digests): Digests;
  /** Marks the records of a batch as unanswered that have a key of another part, and no match in the given rows. */
  leave(matches: Iterable<number>, records: number): void;
}

/** Keeps the digests of a range of segments, in batches of at most `recordLimit` records. */
export function createOwnedKeeper(kernel: Kernel, range: SegmentRange, recordLimit: number): OwnedKeeper {
  const { first, count: held, of } = range;
  if (!isPart(range)) return { keep: (digests) => digests, leave: () => {} };
  const { keepOwnedRange, leaveUnanswered, clear } = kernel.exports;
  const kept = kernel.reserve(8 * VISIT_LIMIT);
  const owners = kernel.reserve(4 * VISIT_LIMIT);
  const elsewhere = kernel.reserve(recordLimit);
  return {
    keep({ address, count, owners: ownersAt, firstOwner }) {
      const keys = keepOwnedRange(address, ownersAt, firstOwner, count, of, first, held, kept, owners, elsewhere) >>> 0;
      return { address: kept, count: keys, owners, firstOwner: 0 };
    },
    leave(matches, records) {
      for (const row of matches) leaveUnanswered(row, elsewhere, records);
      clear(elsewhere, records);
    },
  };
}
