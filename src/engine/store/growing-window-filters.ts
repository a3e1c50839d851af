import { kindWithId } from '../../filters/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentsOf } from '../../sizing/chain.ts';
import { type Expected, mistakenForKnown, NOTHING, together } from '../../sizing/first-sightings.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { columnsOf } from './columns.ts';
import { createGrowth, type Growth, type OnAdded } from './growth.ts';
import { emptiedPayload } from './payload.ts';
import type { SegmentVisits } from './segment-visits.ts';
import type { Segments } from './segments.ts';
import { createFilterInPlace, openSegments, type SharedSegments, sharedSegments } from './shared-segments.ts';
import type { WindowFilter, WindowOptions } from './window-filters.ts';

/** Filters that grow, one per window. The last filter gets the keys that no filter has. */
export interface GrowingWindowFilters extends SegmentVisits {
  /** Begins a window, and drops the filters that are no longer kept. No digests may wait meanwhile. */
  turn(window: number): void;
  /** From the oldest filter to the last, which is as it is now. */
  all(): readonly WindowFilter[];
  /** The same at the end: the last filter is no larger than its keys need. */
  final(): readonly WindowFilter[];
  /** The expected number of new keys that were mistaken for known ones; `NOTHING` without `estimates`. */
  mistaken(): Expected;
}

/** A filter that is queried, but gets no more keys. */
interface Older {
  readonly windowFilter: WindowFilter;
  readonly segments: Segments;
}

/**
 * Opens filters that grow; there is at least one. `answer` gets all digests, and whether they were known. The last filter begins with the
 * slice with which the filter before it began. Without `keep` there is one filter, which may widen.
 */
export function openGrowingWindowFilters(
  own: Kernel,
  begun: readonly WindowFilter[],
  { keep, estimates }: WindowOptions,
  answer: OnAdded,
): GrowingWindowFilters {
  const { kernel, release } = reusedMemory(own);
  const hits = own.reserve(VISIT_LIMIT);
  const olderOf = (windowFilter: WindowFilter): Older => {
    const segments = openSegments(windowFilter.filter, own, 0);
    // All segments are read, because the columns of the last filter differ from the columns of this one.
    for (let i = 0; i < windowFilter.filter.payload.shape.segments; i++) segments.find(i);
    return { windowFilter, segments };
  };
  let older = begun.slice(0, -1).map(olderOf);
  const newest = begun.at(-1);
  if (newest === undefined) throw new Error('there is no filter');
  let last = newest;
  let added = 0;
  /** The added keys that the expectation already includes. */
  let counted = 0;
  let mistaken = NOTHING;

  /** Writes 1 for each digest of a column that an older filter has. */
  const knows = (column: number, columns: number, digests: Digests, known: number) => {
    for (const { windowFilter, segments } of older) {
      const theirs = Math.floor((column * columnsOf(windowFilter.filter.payload)) / columns);
      segments.test(theirs, digests, hits);
      own.exports.orInto(known, hits, digests.count);
    }
  };
  /**
   * Adds the estimate for the last filter's keys to the expectation. Keys that an older filter seems to have never reach the last filter.
   */
  const updateEstimate = (filter: SharedSegments) => {
    if (!estimates) return;
    const rateIn = ({ filter, keys }: Omit<WindowFilter, 'window'>) =>
      kindWithId(filter.kind, 'the filter').predictedRate(keys, filter.payload.shape);
    const missed = older.reduce((all, { windowFilter }) => all * (1 - rateIn(windowFilter)), 1);
    const rateOf = (keys: number) => rateIn({ filter, keys });
    const rateAt = keep === undefined ? rateOf : (keys: number) => 1 - missed * (1 - rateOf(keys));
    mistaken = together(mistaken, mistakenForKnown(rateAt, last.keys + counted, added - counted));
    counted = added;
  };
  const grow = (filter: SharedSegments): Growth =>
    createGrowth(kernel, filter, {
      ...(keep === undefined ? { onWiden: updateEstimate } : { knows }),
      answer(digests, known) {
        added += digests.count - own.exports.countMatches(known, digests.count);
        answer(digests, known);
      },
    });
  let growth = grow(last.filter);
  const lastSoFar = (filter: SharedSegments): WindowFilter => ({
    window: last.window,
    filter,
    keys: last.keys + added,
  });
  const all = (filter: SharedSegments) => [...older.map(({ windowFilter }) => windowFilter), lastSoFar(filter)];
  return {
    take: (digests) => growth.take(digests),
    takeLast: (digests) => growth.takeLast(digests),
    turn(window) {
      updateEstimate(growth.soFar());
      const past = lastSoFar(growth.filter());
      const all = [...older, olderOf(past)];
      const isKept = ({ windowFilter }: Older) => window - windowFilter.window <= (keep ?? 0);
      older = all.filter(isKept);
      const dropped = all.find((one) => !isKept(one));
      release();
      last = { window, filter: unused(past.filter, dropped?.windowFilter.filter), keys: 0 };
      added = 0;
      counted = 0;
      growth = grow(last.filter);
    },
    all: () => all(growth.soFar()),
    final: () => all(growth.filter()),
    mistaken() {
      updateEstimate(growth.soFar());
      return mistaken;
    },
  };
}

/**
 * A filter without keys that begins as the given filter began. It uses the memory of a dropped filter if there is one that is large enough.
 */
function unused({ kind, payload }: SharedSegments, dropped: SharedSegments | undefined): SharedSegments {
  const { chain, segmentBits } = payload.shape;
  const slices = chain?.slices.slice(0, 1) ?? [];
  if (chain === undefined) throw new Error('the filter has no slices');
  const segments = segmentsOf({ slices });
  const shape = { ...payload.shape, segments, bits: segments * segmentBits, chain: { ...chain, slices } };
  const isLarge = (dropped?.payload.shape.segments ?? 0) >= segments;
  if (dropped === undefined || !isLarge) return createFilterInPlace(kindWithId(kind, 'the filter'), shape, 1);
  return sharedSegments(kind, emptiedPayload(dropped.payload, shape));
}

/** A kernel whose reserved memory is reused. */
interface ReusedMemory {
  readonly kernel: Kernel;
  /** Marks all reserved memory as free; nothing may use it any more. */
  release(): void;
}

/** The same kernel. Released memory is cleared, and reserved again for the same number of bytes. */
function reusedMemory(kernel: Kernel): ReusedMemory {
  const free = new Map<number, number[]>();
  let reserved: { readonly address: number; readonly bytes: number }[] = [];
  let releases = 0;
  return {
    kernel: {
      ...kernel,
      reserve(bytes) {
        const known = free.get(bytes)?.pop();
        if (known !== undefined) kernel.exports.clear(known, bytes);
        const address = known ?? kernel.reserve(bytes);
        reserved.push({ address, bytes });
        return address;
      },
      releases: () => kernel.releases() + releases,
    },
    release() {
      releases++;
      for (const { address, bytes } of reserved) free.set(bytes, [...(free.get(bytes) ?? []), address]);
      reserved = [];
    },
  };
}
