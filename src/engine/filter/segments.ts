import { BloomError } from '../../errors.ts';
import { DRAFT_HEAD_BYTES } from '../../filters/drafts.ts';
import type { Fill, FilterKind } from '../../filters/kind.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { LINE_BITS, segmentBytes } from '../../sizing/geometry.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { type Payload, STATE, type State } from './payload.ts';
import { createSegmentLocks } from './segment-locks.ts';
import { openSegmentMemories, type Place, type SegmentPlace } from './segment-memories.ts';

/** With fewer probes a cache line than this, missing the cache is cheaper than reading the whole segment first. */
const PROBES_PER_LINE = 0.5;

/** The error for a filter that keys found no room in, where nobody has counted them. */
export function full(): BloomError {
  return new BloomError('capacity', 'nothing was written: the filter is full', 'build it with a larger -n');
}

/** A thread's access to the segments of a filter. */
export interface Segments {
  /**
   * Adds digests, which lie in the thread's own kernel, to their segment, while no other thread does; returns the
   * number of those for which there was no room.
   */
  add(segment: number, digests: Digests): number;
  /** Removes digests from their segment, but for those that are absent, and returns their number. */
  remove(segment: number, digests: Digests): number;
  /** Adds digests that none of the slices has to the last one, as `addNew` of a segment does. */
  addNew(column: number, digests: Digests, limit: number): { taken: number; added: number };
  /**
   * Tests digests in the segments of a column: a byte each at `hits`, in the thread's own kernel; returns the number of
   * ones.
   */
  test(column: number, digests: Digests, hits: number): number;
  /** Where a segment is, once it is there. */
  find(segment: number): Place;
  /** How full each segment is. */
  fills(): Fill[];
  /** Turns drafts into segments, but for those that another thread is at. */
  finalizeDrafts(): void;
}

/** Puts into its place what a segment holds at first. */
export type LoadSegment = (segment: number, place: Place) => void;

/**
 * The segments of a payload, as one of its threads sees them; threads are counted from 0. `load` is called once for each
 * segment that is needed; without it they begin empty.
 */
export function createSegments(
  payload: Payload,
  kind: FilterKind,
  own: Kernel,
  threadIndex: number,
  load?: LoadSegment,
): Segments {
  const { shape, drafts, states } = payload;
  const open = drafts ? STATE.draft : STATE.there;
  const { placeOf, inColumn } = openSegmentMemories(payload, kind, threadIndex);
  const { during, settled } = createAccess(payload, placeOf, transitions(payload, kind, load));
  const prepare = preparing(payload, own);
  /** Changes a segment or its draft, beside which digests were brought. */
  const change = <T>(segment: number, digests: Digests, work: (place: SegmentPlace) => T): T =>
    during(segment, open, (place) => {
      prepare(place, digests, open);
      return work(place);
    });
  const testIn = (segments: readonly number[], digests: Digests) =>
    testSegments(segments, digests, (segment) => {
      const place = settled(segment);
      prepare(place, digests, STATE.there);
      return place;
    });
  return {
    add: (segment, digests) =>
      change(segment, digests, (place) => place.work.add(place.address, place.digests.address, digests.count)),
    remove: (segment, digests) =>
      change(segment, digests, ({ work, address, digests: brought }) => {
        if (work.remove === undefined) throw new Error(`a ${kind.name} filter removes nothing`);
        return work.remove(address, brought.address, digests.count);
      }),
    addNew(column, digests, limit) {
      const segments = inColumn(column);
      const last = segments.pop() ?? 0;
      const { known } = testIn(segments, digests);
      return change(last, digests, ({ work, address, digests: brought, hits }) => {
        if (work.addNew === undefined) throw new Error(`a ${kind.name} filter does not grow`);
        hits.bytes.set(known);
        return work.addNew(address, brought.address, digests.count, hits.address, limit);
      });
    },
    test(column, digests, hits) {
      const { known, found } = testIn(inColumn(column), digests);
      own.bytes(hits, digests.count).set(known);
      return found;
    },
    find: settled,
    fills: () => Array.from({ length: shape.segments }, (_, segment) => fillOf(settled(segment))),
    finalizeDrafts() {
      for (let segment = 0; segment < shape.segments; segment++) {
        const state = Atomics.load(states, segment);
        if (state === STATE.draft || (drafts && load === undefined && state === STATE.missing)) settled(segment);
      }
    },
  };
}

function fillOf({ work, address }: SegmentPlace): Fill {
  return work.tally?.read(address) ?? work.fill(address);
}

/** Makes of a segment that this thread has taken, and the state that it was in, what is wanted. */
type Become = (wanted: State, segment: number, place: SegmentPlace, before: State) => void;

/** How a thread gets at segments that others may be at. */
function createAccess({ states }: Payload, placeOf: (segment: number) => SegmentPlace, become: Become) {
  const locks = createSegmentLocks(states);
  /** Does some work on a segment, or its draft, that no other thread is at meanwhile. */
  const during = <T>(segment: number, wanted: State, work: (place: SegmentPlace) => T): T => {
    const place = placeOf(segment);
    let state = locks.take(segment);
    try {
      if (state !== wanted) become(wanted, segment, place, state);
      state = wanted;
      return work(place);
    } finally {
      locks.release(segment, state);
    }
  };
  /** A segment that is there and that nobody changes. */
  const settled = (segment: number): SegmentPlace =>
    locks.isThere(segment) ? placeOf(segment) : during(segment, STATE.there, (place) => place);
  return { during, settled };
}

/** Brings digests beside a segment, and the segment into the cache if that is worth it. */
function preparing({ shape }: Payload, own: Kernel) {
  const bytes = segmentBytes(shape);
  return ({ kernel, address, digests }: SegmentPlace, { address: from, count }: Digests, state: State) => {
    digests.bytes.set(own.bytes(from, 8 * count));
    if (state === STATE.draft || shape.segments === 1) return;
    if (count * shape.k > PROBES_PER_LINE * (shape.segmentBits / LINE_BITS)) kernel.exports.warm(address, bytes);
  };
}

/** How a segment becomes its draft, and a draft or what `load` puts there a segment. */
function transitions({ shape, drafts }: Payload, kind: FilterKind, load: LoadSegment | undefined): Become {
  const bytes = segmentBytes(shape);
  /** Throws a `capacity` error if keys were refused. */
  const throwIfRefused = (refused: number | undefined) => {
    if (refused === undefined) throw new Error(`a ${kind.name} filter has no such drafts`);
    if (refused > 0) throw full();
  };
  const becomeDraft = (segment: number, { kernel, address, work, draftScratch }: SegmentPlace, before: State) => {
    if (before === STATE.there) kernel.bytes(draftScratch, bytes).set(kernel.bytes(address, bytes));
    else load?.(segment, { kernel, address: draftScratch });
    kernel.exports.clear(address, DRAFT_HEAD_BYTES);
    const isEmpty = before === STATE.missing && load === undefined;
    if (!isEmpty) throwIfRefused(work.unite?.(address, draftScratch, shape));
  };
  const becomeSegment = (segment: number, place: SegmentPlace, before: State) => {
    if (before === STATE.missing && load !== undefined) return load(segment, place);
    const { kernel, address, work } = place;
    if (before === STATE.missing) {
      kernel.exports.clear(address, drafts ? DRAFT_HEAD_BYTES : bytes);
      work.tally?.begin(address);
    }
    if (drafts) throwIfRefused(work.finalize?.(address));
  };
  return (wanted, segment, place, before) =>
    (wanted === STATE.draft ? becomeDraft : becomeSegment)(segment, place, before);
}

const NONE = new Uint8Array(VISIT_LIMIT);

/** Asks segments about digests: a byte each, 1 if any of them may have it, and the number of ones. */
function testSegments(
  segments: readonly number[],
  { count }: Digests,
  prepared: (segment: number) => SegmentPlace,
): { known: Uint8Array; found: number } {
  let known: Uint8Array = NONE.subarray(0, count);
  let found = 0;
  for (const segment of segments) {
    const { work, address, digests, hits } = prepared(segment);
    const now = work.test(address, digests.address, count, hits.address);
    const ofSegment = hits.bytes.subarray(0, count);
    if (segment === segments[0]) [known, found] = [segments.length > 1 ? ofSegment.slice() : ofSegment, now];
    else if (now > 0) found += noteHits(known, ofSegment);
  }
  return { known, found };
}

/** Notes hits beside those that are known, and returns how many are new. */
function noteHits(known: Uint8Array, hits: Uint8Array): number {
  let more = 0;
  for (let i = 0; i < known.length; i++) {
    if (known[i] === 1 || hits[i] === 0) continue;
    known[i] = 1;
    more++;
  }
  return more;
}
