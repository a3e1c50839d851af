import { compareFilters as compareFiles } from '../engine/store/compare.ts';
import type { SegmentedFile } from '../formats/format.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Interval } from '../sizing/overlap.ts';
import type { Filter } from './filter.ts';
import { readFrom } from './snapshot.ts';

/** A number of keys that is estimated from filters, and its 95 % interval. */
export interface EstimatedKeys {
  /** The estimated number of keys. */
  readonly estimatedItems: number;
  /** The lower end of the interval. */
  readonly low: number;
  /** The upper end of the interval. */
  readonly high: number;
}

/** A share of keys that is estimated from filters, from 0 to 1, and its 95 % interval. */
export interface EstimatedShare {
  /** The estimated share. */
  readonly share: number;
  /** The lower end of the interval. */
  readonly low: number;
  /** The upper end of the interval. */
  readonly high: number;
}

/** What two filters have in common: the numbers of `bloom compare --json`. */
export interface FilterOverlap {
  /** The keys of the first filter. */
  readonly items: EstimatedKeys;
  /** The keys of the second filter. */
  readonly otherItems: EstimatedKeys;
  /** The keys in at least one of the filters. */
  readonly union: EstimatedKeys;
  /** The keys in both filters. */
  readonly intersection: EstimatedKeys;
  /** The share of the keys of the union that are in both filters. Null if there are none. */
  readonly jaccard: EstimatedShare | null;
  /** The share of the keys of the first filter that are in the second filter. Null if the first filter is empty. */
  readonly containment: EstimatedShare | null;
  /** The share of the keys of the second filter that are in the first filter. Null if the second filter is empty. */
  readonly otherContainment: EstimatedShare | null;
}

/**
 * Estimates how many keys two filters have in common, as they are now. The filters need the same options, and the kind `bloom`, `blocked`
 * or `counting`.
 *
 * Rejects with a `BloomError`:
 *
 * - `mismatch`: the filters differ (the message lists all differences), or their kind cannot be compared;
 * - `capacity`: a filter, or the union, is too full for an estimate.
 *
 * @example
 * import { buildFilter, compareFilters } from 'bloomery';
 *
 * const monday = await buildFilter(['a', 'b'], { items: 1000 });
 * const tuesday = await buildFilter(['b', 'c'], { items: 1000 });
 * const { union, intersection } = await compareFilters(monday, tuesday);
 * console.log(union.estimatedItems, intersection.estimatedItems); // 3 1
 */
export async function compareFilters(first: Filter, second: Filter): Promise<FilterOverlap> {
  const files: SegmentedFile[] = [];
  try {
    for (const filter of [first, second]) files.push(readFrom(filter, files.length));
    const [pair] = await compareFiles(loadKernel(), files);
    if (pair === undefined) throw new Error('two filters are one pair');
    const { a, b, union, both, aInB, bInA, jaccard } = pair.overlap;
    return {
      items: keysOf(a),
      otherItems: keysOf(b),
      union: keysOf(union),
      intersection: keysOf(both),
      jaccard: shareOf(jaccard),
      containment: shareOf(aInB),
      otherContainment: shareOf(bInA),
    };
  } finally {
    for (const { close } of files) close();
  }
}

function keysOf({ value, low, high }: Interval): EstimatedKeys {
  return { estimatedItems: Math.round(value), low: Math.round(low), high: Math.round(high) };
}

function shareOf(share: Interval | undefined): EstimatedShare | null {
  return share === undefined ? null : { share: share.value, low: share.low, high: share.high };
}
