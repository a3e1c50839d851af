import { type Kernel, unsigned } from '../../kernel/kernel.ts';
import { SEGMENT_BITS_LIMIT } from '../../sizing/geometry.ts';
import type { SegmentRange } from '../../sizing/share.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';

/** Collects digests per segment, and then visits the segments one at a time. */
export interface SegmentVisits {
  /** Accepts digests; their visits may come later. */
  take(digests: Digests): void;
  /** Accepts digests, and visits the segments of all digests that wait. */
  takeLast(digests: Digests): void;
}

/** Digests that may wait for one segment: 64 KiB. */
const BUCKET_LIMIT = VISIT_LIMIT / 2;

/**
 * Digests that may wait for all segments: 16 MiB. A segment of full size has at least 32 KiB of them, a smaller segment less: fewer would
 * not pay for the visit. The total is never more than 1 GiB.
 */
const TOTAL_LIMIT = 2 ** 21;
const WORTH_VISITING = 2 ** 12;
const GREATEST_TOTAL = 2 ** 27;

/** Digests that pay for a visit to a segment of `segmentBits` bits: half the bits, half the digests. */
function worthAVisit(segmentBits: number): number {
  return WORTH_VISITING / 2 ** Math.max(0, Math.floor(Math.log2(SEGMENT_BITS_LIMIT / segmentBits)));
}

function bucketCapacity(
  { count: segments, segmentBits = SEGMENT_BITS_LIMIT }: SegmentRange,
  { limit = BUCKET_LIMIT, isSparing = false }: VisitOptions,
): number {
  const least = Math.max(1, worthAVisit(segmentBits));
  const most = isSparing ? least / 2 : Math.max(least, Math.floor(TOTAL_LIMIT / segments));
  const wanted = Math.floor(Math.min(BUCKET_LIMIT, limit, most));
  return Math.max(1, Math.min(wanted, Math.floor(GREATEST_TOTAL / segments)));
}

/** How digests wait. */
export interface VisitOptions {
  /** Digests that may wait for a segment, at most. */
  readonly limit?: number | undefined;
  /** Fewer digests wait, so that the memory is a small share of the segments. */
  readonly isSparing?: boolean;
  /** Is called before visits, and can list the segments for which digests wait. */
  readonly expect?: ((segments: () => readonly number[]) => void) | undefined;
}

/**
 * Prepares visits to a range of a filter's segments, counted from the first one of the range; digests of other segments must not be taken.
 *
 * Digests of a single segment go there at once. Otherwise digests wait in the bucket of their segment until the bucket is full. A bucket
 * never holds more digests than a visit accepts. With `ownersWanted`, every visit gets the owners of the digests.
 */
export function createSegmentVisits(
  kernel: Kernel,
  range: SegmentRange,
  ownersWanted: boolean,
  visit: (segment: number, digests: Digests) => void,
  options: VisitOptions = {},
): SegmentVisits {
  const { first, count: segments, of } = range;
  const { expect } = options;
  if (segments === 1) {
    const take = (digests: Digests) => {
      if (digests.count > 0) visit(0, digests);
    };
    return { take, takeLast: take };
  }
  const { exports: entries } = kernel;
  const capacity = bucketCapacity(range, options);
  const fillsAt = kernel.reserve(4 * segments);
  const buckets = kernel.reserve(8 * capacity * segments);
  const owners = ownersWanted ? kernel.reserve(4 * capacity * segments) : 0;
  const fills = new Uint32Array(kernel.memory.buffer, fillsAt, segments);
  let waiting = false;

  const waitingSegments = () => [...fills.keys()].filter((segment) => fills[segment] !== 0);
  const visitBucket = (segment: number, count: number) => {
    const start = segment * capacity;
    // The bucket is emptied first: a bucket that a failed visit left full would overflow into the next one.
    fills[segment] = 0;
    visit(segment, { address: buckets + 8 * start, count, owners: owners && owners + 4 * start, firstOwner: 0 });
  };
  // The kernel counts from the first segment of the whole filter. These are the addresses of that segment, modulo 2^32.
  const fillsOfAll = fillsAt - 4 * first;
  const bucketsOfAll = buckets - 8 * capacity * first;
  const ownersOfAll = owners && owners - 4 * capacity * first;
  const take = ({ address, count, owners: ownersAt, firstOwner }: Digests) => {
    if (count > 0) waiting = true;
    for (let next = 0; next < count; ) {
      const { distribute } = entries;
      next =
        distribute(address, ownersAt, firstOwner, next, count, of, fillsOfAll, bucketsOfAll, ownersOfAll, capacity) >>>
        0;
      const segment = unsigned(entries.fullSegment) - first;
      if (fills[segment] !== capacity) continue;
      expect?.(waitingSegments);
      visitBucket(segment, capacity);
    }
  };
  return {
    take,
    takeLast(digests) {
      take(digests);
      if (!waiting) return;
      expect?.(waitingSegments);
      for (const [segment, count] of fills.entries()) if (count > 0) visitBucket(segment, count);
      waiting = false;
    },
  };
}
