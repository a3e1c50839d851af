import type { Shape } from '../filters/kind.ts';
import { type Kernel, unsigned } from '../kernel/kernel.ts';
import { segmentBytes } from '../sizing/geometry.ts';

/** Digests in kernel memory, u64 each, and whose they are. */
export interface Digests {
  readonly address: number;
  readonly count: number;
  /** Address of the u32 owner of each; 0 if the owners are `firstOwner`, `firstOwner` + 1 and so on. */
  readonly owners: number;
  readonly firstOwner: number;
}

/** Brings digests to the filter, many of one segment at a time. */
export interface SegmentVisits {
  /** Takes digests over; they may be visited later. */
  take(digests: Digests): void;
  /** Takes digests over and lets all that waited be visited. */
  takeLast(digests: Digests): void;
}

/** Most digests that are handed over at once: few enough to stay in the cache. */
export const VISIT_LIMIT = 2 ** 14;

/** Most digests that wait for one segment, and for all: 64 KiB and 16 MiB. */
const BUCKET_LIMIT = VISIT_LIMIT / 2;
const TOTAL_LIMIT = 2 ** 21;

/** With fewer keys a segment than this, waiting for company saves nothing. */
const COMPANY = 16;

/** With fewer probes a cache line than this, missing the cache is cheaper than reading the whole segment first. */
const PROBES_PER_LINE = 0.5;
const LINE_BYTES = 64;

/**
 * Prepares the way to the filter whose payload is at `address`. A filter of one segment is visited at once. Otherwise
 * digests wait in the bucket of their segment, and a full bucket is visited after its segment was read into the cache.
 * With `ownersWanted` every visit says whose the digests are. `bring` is called before a segment is visited, however
 * often, and must not grow the memory.
 */
export function createSegmentVisits(
  kernel: Kernel,
  shape: Shape,
  address: number,
  ownersWanted: boolean,
  visit: (digests: Digests) => void,
  bring?: (segment: number) => void,
): SegmentVisits {
  if (shape.segments === 1) {
    bring?.(0);
    return { take: visit, takeLast: visit };
  }
  const { run } = kernel;
  const { segments, hashes } = shape;
  const bytes = segmentBytes(shape);
  const capacity = Math.max(1, Math.min(BUCKET_LIMIT, Math.floor(TOTAL_LIMIT / segments)));
  const fills = kernel.reserve(4 * segments);
  const buckets = kernel.reserve(8 * capacity * segments);
  const owners = ownersWanted ? kernel.reserve(4 * capacity * segments) : 0;
  let waiting = 0;

  const segmentList = bring === undefined ? 0 : kernel.reserve(4 * VISIT_LIMIT);
  const bringFor = ({ address: digests, count }: Digests) => {
    if (bring === undefined) return;
    run.listSegments(digests, count, segments, segmentList);
    for (const segment of new Uint32Array(run.memory.buffer, segmentList, count)) bring(segment);
  };
  const visitBucket = (segment: number, count: number) => {
    bring?.(segment);
    if (count * hashes > PROBES_PER_LINE * (bytes / LINE_BYTES)) run.warm(address + segment * bytes, bytes);
    const first = segment * capacity;
    visit({ address: buckets + 8 * first, count, owners: owners === 0 ? 0 : owners + 4 * first, firstOwner: 0 });
    waiting -= count;
  };
  const take = (digests: Digests) => {
    waiting += digests.count;
    for (let next = 0; next < digests.count; ) {
      next =
        run.distribute(
          digests.address,
          digests.owners,
          digests.firstOwner,
          next,
          digests.count,
          segments,
          fills,
          buckets,
          owners,
          capacity,
        ) >>> 0;
      const segment = unsigned(run.fullSegment);
      const fill = new Uint32Array(run.memory.buffer, fills + 4 * segment, 1);
      if (fill[0] !== capacity) continue;
      visitBucket(segment, capacity);
      fill[0] = 0;
    }
  };
  return {
    take,
    takeLast(digests) {
      if (waiting === 0 && digests.count < COMPANY * segments) {
        bringFor(digests);
        visit(digests);
        return;
      }
      take(digests);
      const counts = new Uint32Array(run.memory.buffer, fills, segments);
      for (const [segment, count] of counts.entries()) if (count > 0) visitBucket(segment, count);
      counts.fill(0);
    },
  };
}
