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
  keep(digests: Digests): Digests;
  /** Leaves the records of a batch unanswered that have no match, but a key of another part. */
  leave(matches: number, records: number): void;
  /** Records that were left so. */
  left(): number;
}

/** What keeps the digests of a range of segments in batches of so many records. */
export function createOwnedKeeper(kernel: Kernel, range: SegmentRange, recordLimit: number): OwnedKeeper {
  const { first, count: held, of } = range;
  if (held === of) return { keep: (digests) => digests, leave: () => {}, left: () => 0 };
  const { keepOwnedRange, leaveUnanswered } = kernel.exports;
  const owners = kernel.reserve(4 * VISIT_LIMIT);
  const elsewhere = kernel.reserve(recordLimit);
  let left = 0;
  return {
    keep({ address, count, owners: ownersAt, firstOwner }) {
      const kept = keepOwnedRange(address, ownersAt, firstOwner, count, of, first, held, owners, elsewhere) >>> 0;
      return { address, count: kept, owners, firstOwner: 0 };
    },
    leave(matches, records) {
      left += leaveUnanswered(matches, elsewhere, records) >>> 0;
    },
    left: () => left,
  };
}
