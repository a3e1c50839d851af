import { kindWithId } from '../../filters/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentsOf } from '../../sizing/chain.ts';
import { lastCapacity, lengthened } from '../../sizing/scalable.ts';
import { allOf } from '../../sizing/share.ts';
import { type Digests, NO_DIGESTS, restOf, VISIT_LIMIT } from '../input/digests.ts';
import { cutToKeys, halvedToKeys, mayWiden, widened, withChain } from './chained-filter.ts';
import { columnsOf, type Run, runsOf } from './columns.ts';
import { roomInLast } from './last-slice.ts';
import { openChained } from './open-chained.ts';
import { STATE } from './paged-memory.ts';
import { createSegmentVisits, type SegmentVisits } from './segment-visits.ts';
import { full } from './segments.ts';
import type { SharedSegments } from './shared-segments.ts';

/** A filter that takes digests, and more slices when they are too many. */
export interface Growth extends SegmentVisits {
  /** The filter as it is by now. */
  soFar(): SharedSegments;
  /** What has become of it, its last slice being cut to what its keys need if it was begun here. */
  filter(): SharedSegments;
}

/** Visits in which a segment of the last slice gets its keys, at least. */
const VISITS_A_SEGMENT = 16;

/** Takes digests that were looked at, and the address of a byte for each: 0 for those that the filter did not have by then. */
export type OnAdded = (digests: Digests, known: number) => void;

/** What is asked of a filter that grows. */
interface GrowthOptions {
  /** Also a first slice is cut, whose size nobody asked for. */
  readonly trims?: boolean;
  /** Hears which digests were new, those of a column in the order in which they came. */
  readonly answer?: OnAdded;
  /** Hears of a filter whose only slice gives way to a larger one. */
  readonly onWiden?: (before: SharedSegments) => void;
  /** Writes 1 at `known` for each digest of one of so many columns that is not to be added. */
  readonly knows?: (column: number, columns: number, digests: Digests, known: number) => void;
  /** Hears of every run of segments before anything in it changes. */
  readonly preserve?: (run: Run) => void;
}

/** Lets a filter grow. One thread does it, as each new slice changes where all digests go. */
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
  let room = roomInLast(kind, current, isNew ? keys : undefined);
  /**
   * All digests, while there is one slice that may turn out to be too large or too small. Also those that it seemed to
   * have: another one may not.
   */
  let history: DigestHistory | undefined =
    trims || (isNew && knows === undefined && mayWiden(current, kind)) ? createDigestHistory() : undefined;
  const capacity = () => lastCapacity(current.chain, current.segmentBits);

  const lengthen = () => {
    const longer = lengthened(current.chain);
    // A rate that leaves no room for a single key leaves none in larger slices for long.
    if (longer === undefined || capacity() === 0) throw full();
    if (history !== undefined && mayWiden(current, kind)) {
      onWiden?.(current.filter);
      ({ filter: current, keys } = widened(kernel, kind, current, history.digests()));
      room = roomInLast(kind, current, keys);
      return;
    }
    current = withChain(kernel, current, longer);
    room = roomInLast(kind, current);
    history = undefined;
  };
  const known = kernel.reserve(VISIT_LIMIT);
  /** Adds digests that belong to a column, as many as the last slice takes; returns how many were looked at. */
  const add = (column: number, digests: Digests): number => {
    kernel.exports.clear(known, digests.count);
    knows?.(column, columnsOf(current.filter.payload), digests, known);
    const last = preserve && runsOf(current.filter.payload, column).at(-1);
    if (last !== undefined) preserve?.(last);
    const { taken, added } = current.segments.addNew(column, digests, known, room.of(column, digests.count));
    history?.note(kernel.bytes(digests.address, 8 * taken));
    room.note(column, added);
    keys += added;
    answer?.({ ...digests, count: taken }, known);
    return taken;
  };
  const createVisits = (visit: (column: number, digests: Digests) => void) => {
    const columns = columnsOf(current.filter.payload);
    // When the slice is full its segments should be, and so not many digests wait for any.
    const limit = Math.ceil(capacity() / columns / VISITS_A_SEGMENT);
    return createSegmentVisits(kernel, allOf(columns), answer !== undefined, visit, limit);
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
 * Visits to the columns of a filter that is lengthened when `add` takes less than all digests: those that still waited
 * for a column of the shorter filter find their places in the longer one.
 */
function growingVisits(
  createVisits: (visit: (column: number, digests: Digests) => void) => SegmentVisits,
  add: (column: number, digests: Digests) => number,
  lengthen: () => void,
): SegmentVisits {
  /** Visits of the filter when it was shorter, at which digests may still wait. */
  const earlier: SegmentVisits[] = [];
  const createNext = (): SegmentVisits => {
    const own: SegmentVisits = createVisits((column, digests) => {
      if (visits !== own) return visits.take(digests);
      const taken = add(column, digests);
      if (taken === digests.count) return;
      lengthen();
      earlier.push(own);
      visits = createNext();
      visits.take(restOf(digests, taken));
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

/** Digests that were noted, some of them perhaps more than once. */
interface DigestHistory {
  note(digests: Uint8Array): void;
  digests(): BigUint64Array;
}

/** Digests that are noted before repetitions are dropped: a few times those that a first slice takes. */
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
