import { BloomError } from '../../errors.ts';
import { DRAFT_HEAD_BYTES } from '../../filters/drafts.ts';
import type { Fill, FilterKind } from '../../filters/kind.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import type { Digests } from '../input/digests.ts';
import { accessTo, type Place, STATE, type State } from './paged-memory.ts';
import type { Payload } from './payload.ts';
import { openSegmentMemories, type SegmentPlace } from './segment-memories.ts';
import { type Added, createSlices } from './slices.ts';
import { warm } from './warm.ts';

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
  /**
   * Adds digests of a column whose byte at `known`, in the thread's own kernel, is 0 and that it does not have, until `limit` are
   * added or there is no room for one: writes 1 there for each that it had by then. A filter of slices may have no other thread
   * at it meanwhile.
   */
  addNew(column: number, digests: Digests, known: number, limit?: number): Added;
  /**
   * Tests digests in a column, see `columnsOf`: a byte each at `hits`, in the thread's own kernel; returns the number of
   * ones.
   */
  test(column: number, digests: Digests, hits: number): number;
  /** Where a segment is, once it is there. */
  find(segment: number): SegmentPlace;
  /** How full each segment is. */
  fills(): Fill[];
  /** Turns drafts into segments, but for those that another thread is at. */
  sealDrafts(): void;
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
  const memories = openSegmentMemories(payload, kind, threadIndex);
  const places: SegmentPlace[] = [];
  const placeOf = (segment: number): SegmentPlace => {
    places[segment] ??= memories.placeOf(segment);
    return places[segment];
  };
  const become = transitions(payload, kind, load);
  const { during, settle } = accessTo(payload, (segment, wanted, before) =>
    become(wanted, segment, placeOf(segment), before),
  );
  /** A segment that is there and that nobody changes. */
  const settled = (segment: number): SegmentPlace => {
    settle(segment);
    return placeOf(segment);
  };
  const prepare = preparing(payload, own);
  const slices = shape.chain && createSlices(payload, own, memories, settled);
  /** Changes a segment or its draft, beside which digests were brought. */
  const change = <T>(segment: number, digests: Digests, work: (place: SegmentPlace) => T): T =>
    during(segment, open, () => {
      const place = placeOf(segment);
      prepare(place, digests, open);
      return work(place);
    });
  return {
    add: (segment, digests) =>
      change(segment, digests, (place) => place.work.add(place.address, place.digests.address, digests.count)),
    remove: (segment, digests) =>
      change(segment, digests, ({ work, address, digests: brought }) => {
        if (work.remove === undefined) throw new Error(`a ${kind.name} filter removes nothing`);
        return work.remove(address, brought.address, digests.count);
      }),
    test(column, digests, hits) {
      if (slices !== undefined) return slices.test(column, digests, hits);
      const place = settled(column);
      prepare(place, digests, STATE.there);
      const found = place.work.test(place.address, place.digests.address, digests.count, place.hits.address);
      own.bytes(hits, digests.count).set(place.hits.bytes.subarray(0, digests.count));
      return found;
    },
    addNew(column, digests, known, limit = digests.count) {
      if (slices !== undefined) return slices.addNew(column, digests, known, limit);
      return change(column, digests, ({ work, address, digests: brought, hits }) => {
        if (work.addNew === undefined) throw new Error(`a ${kind.name} filter takes no keys`);
        const answered = own.bytes(known, digests.count);
        hits.bytes.set(answered);
        const taken = work.addNew(address, brought.address, digests.count, hits.address);
        answered.set(hits.bytes.subarray(0, digests.count));
        return { taken, added: taken - own.exports.countMatches(known, taken) };
      });
    },
    find: settled,
    fills: () => Array.from({ length: shape.segments }, (_, segment) => fillOf(settled(segment))),
    sealDrafts() {
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

/** Brings digests beside a segment, and the segment into the cache if that is worth it. */
function preparing({ shape }: Payload, own: Kernel) {
  return (place: SegmentPlace, { address, count }: Digests, state: State) => {
    place.digests.bytes.set(own.bytes(address, 8 * count));
    if (state !== STATE.draft && shape.segments > 1) warm(place, shape.segmentBits, count * shape.k);
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
    if (drafts) throwIfRefused(work.seal?.(address));
  };
  return (wanted, segment, place, before) =>
    (wanted === STATE.draft ? becomeDraft : becomeSegment)(segment, place, before);
}
