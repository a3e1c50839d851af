import { kindWithId } from '../../filters/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentsOf } from '../../sizing/chain.ts';
import { lastCapacity, lengthened } from '../../sizing/scalable.ts';
import { allOf } from '../../sizing/share.ts';
import { type Digests, NO_DIGESTS, restOf, VISIT_LIMIT } from '../input/digests.ts';
import { cutToKeys, halvedToKeys, mayWiden, widened, withChain } from './chained-filter.ts';
import { columnsOf, type Run, runsOf } from './columns.ts';
import { freeInLast } from './last-slice.ts';
import { openChained } from './open-chained.ts';
import { STATE } from './paged-memory.ts';
import { createSegmentVisits, type SegmentVisits } from './segment-visits.ts';
import { full } from './segments.ts';
import type { SharedSegments } from './shared-segments.ts';

/** A filter that gets digests, and further slices when there are too many digests. */
export interface Growth extends SegmentVisits {
  /** The filter as it is now. */
  soFar(): SharedSegments;
  /** The final filter. If the filter began empty, its last slice is cut to the size that its keys need. */
  filter(): SharedSegments;
}

/** The minimum number of visits in which a segment of the last slice gets its keys. */
const VISITS_PER_SEGMENT = 16;

/** Receives digests that were looked up, and the address of one byte per digest: 0 for digests that the filter did not have before. */
export type OnAdded = (digests: Digests, known: number) => void;

/** Hooks and settings of a filter that grows. */
interface GrowthOptions {
  /** The first slice is cut too, because the user chose no size. */
  readonly trims?: boolean;
  /** Is called with digests and their answers. Digests of a column come in their order. */
  readonly answer?: OnAdded;
  /** Receives a filter whose only slice is replaced by a larger one. */
  readonly onWiden?: (before: SharedSegments) => void;
  /** Writes 1 at `known` for each digest of a column that must not be added. `columns` is the number of columns. */
  readonly knows?: (column: number, columns: number, digests: Digests, known: number) => void;
  /** Is called before a run of segments changes. */
  readonly preserve?: (run: Run) => void;
}

/** Lets a filter grow. One thread does this, because each new slice changes where all digests go. */
export function createGrowth(
  kernel: Kernel,
  begun: SharedSegments,
  { trims = false, answer, knows, onWiden, preserve }: GrowthOptions,
): Growth {
  const kind = kindWithId(begun.kind, 'the filter');
  const isNew = begun.stored === undefined && begun.payload.states.every((state) => state === STATE.missing);
  let current = openChained(kernel, begun);
  /** Keys that were added to the only slice. */
  let keys = 0;
  let free = freeInLast(kind, current, isNew ? keys : undefined);
  /**
   * All digests, while there is a single slice that may prove too large or too small. False positives of this slice are included: another
   * slice may not have them.
   */
  let history: DigestHistory | undefined =
    trims || (isNew && knows === undefined && mayWiden(current, kind)) ? createDigestHistory() : undefined;
  const capacity = () => lastCapacity(current.chain, current.segmentBits);

  const lengthen = () => {
    const longer = lengthened(current.chain);
    // If not even one key fits at this rate, larger slices do not help for long.
    if (longer === undefined || capacity() === 0) throw full();
    if (history !== undefined && mayWiden(current, kind)) {
      onWiden?.(current.filter);
      ({ filter: current, keys } = widened(kernel, kind, current, history.digests()));
      free = freeInLast(kind, current, keys);
      return;
    }
    current = withChain(kernel, current, longer);
    free = freeInLast(kind, current);
    history = undefined;
  };
  const known = kernel.reserve(VISIT_LIMIT);
  /** Adds digests of a column until the last slice is full. Returns the number of digests that were looked up. */
  const add = (column: number, digests: Digests): number => {
    kernel.exports.clear(known, digests.count);
    knows?.(column, columnsOf(current.filter.payload), digests, known);
    const last = preserve && runsOf(current.filter.payload, column).at(-1);
    if (last !== undefined) preserve?.(last);
    const { handled, added } = current.segments.addNew(column, digests, known, free.of(column, digests.count));
    history?.note(kernel.bytes(digests.address, 8 * handled));
    free.note(column, added);
    keys += added;
    answer?.({ ...digests, count: handled }, known);
    return handled;
  };
  const createVisits = (visit: (column: number, digests: Digests) => void) => {
    const columns = columnsOf(current.filter.payload);
    // When the slice is full its segments should be full too, so only few digests may wait for each segment.
    const limit = Math.ceil(capacity() / columns / VISITS_PER_SEGMENT);
    return createSegmentVisits(kernel, allOf(columns), answer !== undefined, visit, { limit });
  };
  return {
    ...growingVisits(createVisits, add, lengthen),
    soFar: () => current.filter,
    filter() {
      const hasGrown = isNew && segmentsOf(current.chain) > begun.payload.shape.segments;
      if (trims && history !== undefined) current = cutToKeys(kernel, kind, current, keys, history.digests());
      else if (hasGrown) current = halvedToKeys(kernel, kind, current);
      return current.filter;
    },
  };
}

/**
 * Visits to the columns of a filter that is lengthened when `add` does not accept all digests. Digests that still wait for a column of the
 * shorter filter are distributed again in the longer filter.
 */
function growingVisits(
  createVisits: (visit: (column: number, digests: Digests) => void) => SegmentVisits,
  add: (column: number, digests: Digests) => number,
  lengthen: () => void,
): SegmentVisits {
  /** Visits from before the filter was lengthened, where digests may still wait. */
  const earlier: SegmentVisits[] = [];
  const createNext = (): SegmentVisits => {
    const own: SegmentVisits = createVisits((column, digests) => {
      if (visits !== own) return visits.take(digests);
      const handled = add(column, digests);
      if (handled === digests.count) return;
      lengthen();
      earlier.push(own);
      visits = createNext();
      visits.take(restOf(digests, handled));
    });
    return own;
  };
  let visits = createNext();

  const take = (digests: Digests) => {
    visits.take(digests);
    for (let old = earlier.pop(); old !== undefined; old = earlier.pop()) old.takeLast(NO_DIGESTS);
  };
  return {
    take,
    takeLast(digests) {
      take(digests);
      let current: SegmentVisits;
      do {
        current = visits;
        current.takeLast(NO_DIGESTS);
        take(NO_DIGESTS);
      } while (visits !== current);
    },
  };
}

/** Digests that were noted, some of them perhaps several times. */
interface DigestHistory {
  note(digests: Uint8Array): void;
  digests(): BigUint64Array;
}

/** Digests that are noted before repetitions are removed: a few times the capacity of a first slice. */
const LIMIT = 2 ** 20;

function createDigestHistory(): DigestHistory {
  let digests = new BigUint64Array(LIMIT);
  let count = 0;
  return {
    note(bytes) {
      if (count + bytes.length / 8 > digests.length) {
        const distinct = new Set(digests.subarray(0, count));
        digests = new BigUint64Array(distinct.size + LIMIT);
        count = 0;
        for (const digest of distinct) digests[count++] = digest;
      }
      new Uint8Array(digests.buffer).set(bytes, 8 * count);
      count += bytes.length / 8;
    },
    digests: () => digests.subarray(0, count),
  };
}
