import { BloomError } from '../../errors.ts';
import { sum } from '../../filters/kind.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Expected, mistakenBefore, NOTHING } from '../../sizing/first-sightings.ts';
import { rangeOf } from '../../sizing/share.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { openGrowingWindowFilters } from '../store/growing-window-filters.ts';
import { createSegmentVisits, type SegmentVisits } from '../store/segment-visits.ts';
import { openSegments } from '../store/shared-segments.ts';
import { openWindowFilters, rateOfAll, type WindowFilter, type WindowOptions } from '../store/window-filters.ts';

/** Decides whether keys were seen before. Keys with the same digest are handled in their order. */
export interface Sightings extends SegmentVisits {
  /** Begins a window, and drops the filters that are no longer kept. No digests may wait meanwhile. */
  turn(window: number): void;
  /** The filters with all keys that were seen so far. */
  soFar(): readonly WindowFilter[];
  /** The final content. */
  result(): Sighted;
}

/** The keys that were seen. */
export interface Sighted {
  readonly windowFilters: readonly WindowFilter[];
  /** Keys that were seen for the first time. */
  readonly firsts: number;
  /** The largest number of keys that any filter has or, if it was dropped, had; 0 for filters that grow. */
  readonly most: number;
  /** The share of new keys that would be mistaken for known ones now; 0 for filters that grow. */
  readonly rate: number;
  /** The expected number of new keys that were mistaken for known ones; `NOTHING` without estimates. */
  readonly mistaken: Expected;
  /** The expected number of such keys after the last new key; `NOTHING` for filters that grow. */
  readonly trailing: Expected;
  /** An upper bound of the keys that were mistaken for known ones before this run; `NOTHING` without estimates. */
  readonly before: Expected;
}

/** Receives digests, and the address of one byte per digest: 1 if the digest seems to have been seen before, else 0. */
export type OnSeen = (digests: Digests, seen: number) => void;

/** Looks up keys in filters, and adds absent keys to the last filter. `threadIndex` is the thread's number. */
export function openSightings(
  kernel: Kernel,
  threadIndex: number,
  begun: readonly WindowFilter[],
  options: WindowOptions,
  onSeen: OnSeen,
): Sightings {
  let firsts = 0;
  const note: OnSeen = (digests, seen) => {
    firsts += digests.count - kernel.exports.countMatches(seen, digests.count);
    onSeen(digests, seen);
  };
  const [first] = begun;
  if (first === undefined) throw new Error('there is no filter');
  const before = options.estimates ? mistakenWhileHeld(kernel, threadIndex, begun) : NOTHING;
  if (first.filter.payload.shape.chain !== undefined) {
    const { take, takeLast, turn, all, final, mistaken } = openGrowingWindowFilters(kernel, begun, options, note);
    const result = () => ({
      mistaken: mistaken(),
      windowFilters: final(),
      firsts,
      most: 0,
      rate: 0,
      trailing: NOTHING,
      before,
    });
    return { take, takeLast, turn, soFar: all, result };
  }
  const windows = openWindowFilters(kernel, threadIndex, begun, options);
  const seen = kernel.reserve(VISIT_LIMIT);
  const visits = createSegmentVisits(kernel, rangeOf(first.filter.payload.shape), true, (segment, digests) => {
    if (windows.note(segment, digests, seen) < digests.count) throw full();
    note(digests, seen);
  });
  return {
    ...visits,
    turn: windows.turn,
    soFar: windows.all,
    result: () => ({
      windowFilters: windows.all(),
      firsts,
      most: windows.most(),
      rate: windows.rateNow(),
      mistaken: windows.mistaken(),
      trailing: windows.trailing(),
      before,
    }),
  };
}

/** An upper bound of the keys that the filters have mistaken for known ones. */
function mistakenWhileHeld(kernel: Kernel, threadIndex: number, begun: readonly WindowFilter[]): Expected {
  const keys = sum(begun.map((windowFilter) => windowFilter.keys));
  if (keys === 0) return NOTHING;
  const open = begun.map((windowFilter) => ({
    ...windowFilter,
    segments: openSegments(windowFilter.filter, kernel, threadIndex),
  }));
  return mistakenBefore(rateOfAll(open), keys);
}

/** The error for a key that does not fit in the filter: a later sighting of the key would not be recognised. */
function full(): BloomError {
  return new BloomError('capacity', 'the filter is full', 'state a larger -n, or leave out -n for a filter that grows');
}
