import type { Kernel } from '../../kernel/kernel.ts';
import type { SegmentRange } from '../../sizing/share.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';

/** Tells the digests of a part of a filter from those of others. */
export interface RangeKeeper {
  /** Those of the part, in their order and in the place of all. */
  keep(digests: Digests): Digests;
  /** Digests of other parts that were dropped. */
  dropped(): number;
}

/** What keeps the digests of a range of segments, whose owners nobody asks for: all of them unless they are a part. */
export function createRangeKeeper(kernel: Kernel, { first, count: held, of }: SegmentRange): RangeKeeper {
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

/** Tells them apart where a record is answered by its keys. */
export interface OwnedKeeper {
  /** Those of the part, in their order; all digests stay where they are. */
  keep(digests: Digests): Digests;
  /** Leaves the records of a batch unanswered that have no match of any of these sorts, but a key of another part. */
  leave(matches: Iterable<number>, records: number): void;
}

/** What keeps the digests of a range of segments in batches of so many records. */
export function createOwnedKeeper(kernel: Kernel, range: SegmentRange, recordLimit: number): OwnedKeeper {
  const { first, count: held, of } = range;
  if (held === of) return { keep: (digests) => digests, leave: () => {} };
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
