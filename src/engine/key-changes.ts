import type { Kernel } from '../kernel/kernel.ts';
import { rangeOf } from '../sizing/share.ts';
import { type Digests, NO_DIGESTS } from './input/digests.ts';
import type { DigestSink } from './input/key-feed.ts';
import type { Run } from './store/columns.ts';
import { createGrowth } from './store/growth.ts';
import { createRangeKeeper } from './store/range-keeper.ts';
import { createSegmentVisits } from './store/segment-visits.ts';
import { full } from './store/segments.ts';
import { openSegments, type SharedSegments } from './store/shared-segments.ts';

/** Changes that a program makes to a filter, if its kind supports them. One thread makes them. */
export interface KeyChanges {
  /**
   * Adds digests, except those of other parts of the filter. Throws a `capacity` error if a digest was refused. The refused digest may then
   * be any digest of the filter.
   */
  readonly adding: DigestSink;
  /** Removes digests that may be present. */
  readonly removing: DigestSink;
  /** The number of added keys minus the number of removed keys. */
  added(): number;
  /** The number of removed keys. */
  removed(): number;
  /** The filter, which may have grown. */
  filter(): SharedSegments;
}

/** Changes to a filter. `preserve` is called before a run of segments changes. */
export function createKeyChanges(kernel: Kernel, filter: SharedSegments, preserve: (run: Run) => void): KeyChanges {
  return (filter.payload.shape.chain === undefined ? changesInPlace : changesByGrowing)(kernel, filter, preserve);
}

function changesInPlace(kernel: Kernel, filter: SharedSegments, preserve: (run: Run) => void): KeyChanges {
  const segments = openSegments(filter, kernel, 0);
  const range = rangeOf(filter.payload.shape);
  const { keep } = createRangeKeeper(kernel, range);
  let added = 0;
  let refused = 0;
  let removed = 0;
  /** Distributes digests to their segments. `note` receives their number, and `change` changes a segment. */
  const bringing = (note: (digests: number) => void, change: (segment: number, digests: Digests) => void) => {
    const visits = createSegmentVisits(kernel, range, false, (segment, digests) => {
      preserve({ first: segment, count: 1 });
      change(segment, digests);
    });
    return {
      isChange: true,
      take(digests: Digests) {
        const kept = keep(digests);
        note(kept.count);
        visits.take(kept);
        if (refused > 0) throw full();
      },
      conclude() {
        visits.takeLast(NO_DIGESTS);
        if (filter.payload.drafts) segments.sealDrafts();
        if (refused > 0) throw full();
      },
    };
  };
  return {
    adding: bringing(
      (digests) => {
        added += digests;
      },
      (segment, digests) => {
        refused += segments.add(segment, digests);
      },
    ),
    removing: bringing(
      () => {},
      (segment, digests) => {
        removed += segments.remove(segment, digests);
      },
    ),
    added: () => added - removed,
    removed: () => removed,
    filter: () => filter,
  };
}

function changesByGrowing(kernel: Kernel, filter: SharedSegments, preserve: (run: Run) => void): KeyChanges {
  const growth = createGrowth(kernel, filter, { preserve });
  let added = 0;
  return {
    adding: {
      isChange: true,
      take(digests) {
        added += digests.count;
        growth.take(digests);
      },
      conclude() {
        growth.takeLast(NO_DIGESTS);
      },
    },
    removing: {
      isChange: true,
      take() {
        throw new Error('a filter that grows removes nothing');
      },
      conclude() {},
    },
    added: () => added,
    removed: () => 0,
    filter: growth.soFar,
  };
}
