import type { Kernel } from '../kernel/kernel.ts';
import { rangeOf } from '../sizing/share.ts';
import { createGrowth } from './filter/growth.ts';
import { openSegments, type SharedFilter } from './filter/loaded-filter.ts';
import { createRangeKeeper } from './filter/range-keeper.ts';
import { createSegmentVisits } from './filter/segment-visits.ts';
import { full } from './filter/segments.ts';
import { type Digests, NO_DIGESTS } from './input/digests.ts';
import type { Key, KeyDigests } from './input/given-keys.ts';

/** How a program changes a filter by keys that it gives, of a kind that can be changed so. One thread does it. */
export interface KeyChanges {
  /**
   * Adds keys, but for those of other parts of the filter; where the iterable throws, those that came before. Throws a `capacity`
   * error if one found no room, which may then be any of those that the filter had.
   */
  add(given: Iterable<Key>): void;
  /** Removes those that may be there, and returns their number. */
  remove(given: Iterable<Key>): number;
  /** Keys that were added, less those that were removed. */
  added(): number;
  /** The filter, which may have grown. */
  filter(): SharedFilter;
}

export function createKeyChanges(kernel: Kernel, filter: SharedFilter, keys: KeyDigests): KeyChanges {
  return (filter.payload.shape.chain === undefined ? changesInPlace : changesByGrowing)(kernel, filter, keys);
}

function changesInPlace(kernel: Kernel, filter: SharedFilter, keys: KeyDigests): KeyChanges {
  const segments = openSegments(filter, kernel, 0);
  const range = rangeOf(filter.payload.shape);
  const { keep, dropped } = createRangeKeeper(kernel, range);
  let added = 0;
  /** Brings keys to their segments: how many there were, what the visits came to, and the error that broke off the keys. */
  const bringing = (visit: (segment: number, digests: Digests) => number) => {
    let visited = 0;
    const visits = createSegmentVisits(kernel, range, false, (segment, digests) => {
      visited += visit(segment, digests);
    });
    return (given: Iterable<Key>) => {
      const before = { visited, dropped: dropped() };
      const { count, failure } = handOver(keys, given, (digests) => visits.take(keep(digests)));
      visits.takeLast(NO_DIGESTS);
      if (filter.payload.drafts) segments.finalizeDrafts();
      return { count: count - (dropped() - before.dropped), visited: visited - before.visited, failure };
    };
  };
  const bringToAdd = bringing(segments.add);
  const bringToRemove = bringing(segments.remove);
  return {
    add(given) {
      const { count, visited: refused, failure } = bringToAdd(given);
      added += count;
      if (refused > 0) throw full();
      if (failure !== undefined) throw failure.error;
    },
    remove(given) {
      const { visited: removed, failure } = bringToRemove(given);
      added -= removed;
      if (failure !== undefined) throw failure.error;
      return removed;
    },
    added: () => added,
    filter: () => filter,
  };
}

function changesByGrowing(kernel: Kernel, filter: SharedFilter, keys: KeyDigests): KeyChanges {
  const growth = createGrowth(kernel, filter, {});
  let added = 0;
  return {
    add(given) {
      const { count, failure } = handOver(keys, given, growth.take);
      growth.takeLast(NO_DIGESTS);
      added += count;
      if (failure !== undefined) throw failure.error;
    },
    remove() {
      throw new Error('a filter that grows removes nothing');
    },
    added: () => added,
    filter: growth.soFar,
  };
}

/** Hands the digests of keys over, as many as fit into a batch at a time, up to the last key or to the error in its place. */
function handOver(keys: KeyDigests, given: Iterable<Key>, take: (digests: Digests) => void) {
  let count = 0;
  let failure: { readonly error: unknown } | undefined;
  const hand = () => {
    const digests = keys.take(0);
    count += digests.count;
    take(digests);
  };
  try {
    for (const key of given) {
      if (keys.put(key)) continue;
      hand();
      keys.put(key);
    }
  } catch (error) {
    failure = { error };
  }
  hand();
  return { count, failure };
}
