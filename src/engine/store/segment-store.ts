import { rangeOfStored, type StoredSegments } from '../../formats/stored-segments.ts';
import { expectReads, isRemote } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { columnsOf, runsOf } from './columns.ts';
import { STATE } from './paged-memory.ts';
import type { SegmentPlace } from './segment-memories.ts';
import type { Segments } from './segments.ts';
import { openSegments, type SharedSegments } from './shared-segments.ts';
import type { OpenStore } from './store-access.ts';

/** A thread's access to a filter of segments, for queries. */
export function openSegmentStore(filter: SharedSegments, own: Kernel, threadIndex: number): OpenStore {
  const { shape } = filter.payload;
  const segments = openSegments(filter, own, threadIndex);
  const { stored } = filter;
  const expect = stored !== undefined && isRemote(stored.file) ? expecting(filter, stored) : undefined;
  return {
    test: segments.test,
    expect,
    readAll() {
      expect?.(() => Array.from({ length: columnsOf(filter.payload) }, (_, column) => column));
      for (let segment = 0; segment < shape.segments; segment++) segments.find(segment);
    },
    // A screened draft is queried as a whole.
    ...(shape.chain === undefined &&
      !(filter.payload.drafts && shape.protectedKeys) && { testOne: createDigestTest(filter, segments) }),
  };
}

/** Begins to fetch the missing segments of columns from a server. */
function expecting({ payload }: SharedSegments, stored: StoredSegments): OpenStore['expect'] {
  const missingIn = (columns: readonly number[]) =>
    columns
      .flatMap((column) => runsOf(payload, column))
      .flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i))
      .filter((segment) => Atomics.load(payload.states, segment) === STATE.missing);
  return (columns) =>
    expectReads(stored.file, () => missingIn(columns()).map((segment) => rangeOfStored(stored, segment)));
}

/** Tests one digest, from any buffer, in a segment of a filter without slices. */
function createDigestTest(
  filter: SharedSegments,
  { find }: Segments,
): (segment: number, word: BigUint64Array) => boolean {
  /** Segments that stay present, because the filter has no drafts. */
  const lasting: SegmentPlace[] = [];
  const placeOf = (segment: number): SegmentPlace => {
    const place = find(segment);
    if (!filter.payload.drafts) lasting[segment] = place;
    return place;
  };
  return (segment, word) => {
    const { work, address, digests, hits } = lasting[segment] ?? placeOf(segment);
    // The whole word is copied at once: two halves that were just written cannot be read as one word without a delay.
    digests.first[0] = word[0] as bigint;
    return work.test(address, digests.address, 1, hits.address) > 0;
  };
}
