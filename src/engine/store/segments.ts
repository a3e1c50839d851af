import { BloomError } from '../../errors.ts';
import { DRAFT_HEAD_BYTES } from '../../filters/drafts.ts';
import type { Drops, Fill, FilterKind, ProtectingWork } from '../../filters/kind.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import type { Digests } from '../input/digests.ts';
import { accessTo, type Place, STATE, type State } from './paged-memory.ts';
import type { Payload } from './payload.ts';
import { openSegmentMemories, type SegmentPlace } from './segment-memories.ts';
import { type Added, createSlices } from './slices.ts';
import { warm } from './warm.ts';

/** The error for a full filter when the keys were not counted. */
export function full(): BloomError {
  return new BloomError('capacity', 'nothing was written: the filter is full', 'build it again with a larger -n');
}

/** A thread's access to the segments of a filter. */
export interface Segments {
  /**
   * Adds digests from the thread's own kernel to their segment, while no other thread works on the segment. Returns the number of refused
   * digests.
   */
  add(segment: number, digests: Digests): number;
  /** Removes digests from their segment, and returns the number of removed digests. Absent digests are ignored. */
  remove(segment: number, digests: Digests): number;
  /**
   * Adds digests of a column that the column does not have and whose byte at `known`, in the thread's own kernel, is 0. Stops when `limit`
   * digests are added or the column is full. Writes 1 at `known` for each digest that the column had before. No other thread may work on a
   * filter with slices meanwhile.
   */
  addNew(column: number, digests: Digests, known: number, limit?: number): Added;
  /**
   * Tests digests in a column (see `columnsOf`). Writes one byte per digest at `hits` in the thread's own kernel; returns the number of
   * ones.
   */
  test(column: number, digests: Digests, hits: number): number;
  /** The position of a segment; loads the segment if it is missing. */
  find(segment: number): SegmentPlace;
  /** The fill of each segment. */
  fills(): Fill[];
  /** Turns drafts into segments, except drafts that another thread works on. */
  sealDrafts(): void;
  /** Makes the screens of drafts, except drafts that another thread works on. */
  screenDrafts(): void;
  /** Gives a screened draft protected keys. Returns the number of refused digests. */
  protect(segment: number, digests: Digests): number;
  /** Returns the number of members of a screened draft that are protected. Afterwards each of them is in one list, as `drops` states. */
  clashes(segment: number, drops: Drops): number;
}

/** Writes the initial content of a segment to its position. */
export type LoadSegment = (segment: number, place: Place) => void;

/**
 * The segments of a payload, as one thread sees them; threads are counted from 0. `load` is called once for each segment that is needed.
 * Without `load`, segments begin empty.
 */
export function createSegments(
  payload: Payload,
  kind: FilterKind,
  own: Kernel,
  threadIndex: number,
  load?: LoadSegment,
): Segments {
  const { shape, drafts, states } = payload;
  const open = drafts ? STATE.draft : STATE.present;
  const memories = openSegmentMemories(payload, kind, threadIndex);
  const places: SegmentPlace[] = [];
  const placeOf = (segment: number): SegmentPlace => {
    places[segment] ??= memories.placeOf(segment);
    return places[segment];
  };
  const become = transitions(payload, kind, load);
  const { during, ensure } = accessTo(payload, (segment, wanted, before) =>
    become(wanted, segment, placeOf(segment), before),
  );
  /** A segment that is present, and that no thread changes. */
  const present = (segment: number): SegmentPlace => {
    ensure(segment);
    return placeOf(segment);
  };
  const prepare = preparing(payload, own);
  const slices = shape.chain && createSlices(payload, own, memories, present);
  /** Changes a segment or its draft; the digests are copied to the scratch in the same memory. */
  const change = <T>(segment: number, digests: Digests, work: (place: SegmentPlace) => T): T =>
    during(segment, open, () => {
      const place = placeOf(segment);
      prepare(place, digests, open);
      return work(place);
    });
  /** Works on a screened draft; the digests are copied as for a change. */
  const whileScreened = <T>(
    segment: number,
    digests: Digests,
    work: (of: ProtectingWork, place: SegmentPlace) => T,
  ): T =>
    during(segment, STATE.screened, () => {
      const place = placeOf(segment);
      prepare(place, digests, STATE.screened);
      return work(protecting(place), place);
    });
  /** Looks up digests among the members of a screened draft, exactly. */
  const findMembers = (segment: number, digests: Digests, hitsAt: number): number =>
    whileScreened(segment, digests, (work, { address, digests: brought, hits }) => {
      const found = work.findMembers(address, brought.address, digests.count, hits.address);
      own.bytes(hitsAt, digests.count).set(hits.bytes.subarray(0, digests.count));
      return found;
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
      if (Atomics.load(states, column) === STATE.screened) return findMembers(column, digests, hits);
      const place = present(column);
      prepare(place, digests, STATE.present);
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
        const handled = work.addNew(address, brought.address, digests.count, hits.address);
        answered.set(hits.bytes.subarray(0, digests.count));
        return { handled, added: handled - own.exports.countMatches(known, handled) };
      });
    },
    find: present,
    fills: () => Array.from({ length: shape.segments }, (_, segment) => fillOf(present(segment))),
    sealDrafts() {
      for (let segment = 0; segment < shape.segments; segment++) {
        const state = Atomics.load(states, segment);
        const isOpen = state === STATE.draft || state === STATE.screened;
        if (isOpen || (drafts && load === undefined && state === STATE.missing)) present(segment);
      }
    },
    screenDrafts() {
      for (let segment = 0; segment < shape.segments; segment++) {
        const state = Atomics.load(states, segment);
        if (state === STATE.draft || state === STATE.missing) during(segment, STATE.screened, () => {});
      }
    },
    protect: (segment, digests) =>
      whileScreened(segment, digests, (work, { address, digests: brought, hits }) =>
        work.protect(address, brought.address, digests.count, hits.address),
      ),
    clashes: (segment, drops) =>
      during(segment, STATE.screened, () => {
        const place = placeOf(segment);
        return protecting(place).clashes(place.address, drops);
      }),
  };
}

/** The work on protected keys, which only some kinds have. */
function protecting({ work }: SegmentPlace): ProtectingWork {
  if (work.protecting === undefined) throw new Error('the filter has no protected keys');
  return work.protecting;
}

function fillOf({ work, address }: SegmentPlace): Fill {
  return work.tally?.read(address) ?? work.fill(address);
}

/** Brings a segment that this thread has locked, from its state before into the wanted state. */
type Become = (wanted: State, segment: number, place: SegmentPlace, before: State) => void;

/** Copies digests to the scratch beside a segment, and loads the segment into the cache if that is worth it. */
function preparing({ shape }: Payload, own: Kernel) {
  return (place: SegmentPlace, { address, count }: Digests, state: State) => {
    place.digests.bytes.set(own.bytes(address, 8 * count));
    if (state === STATE.present && shape.segments > 1) warm(place, shape.segmentBits, count * shape.k);
  };
}

/** How a segment becomes a draft, and how a draft or the result of `load` becomes a segment. */
function transitions({ shape, drafts }: Payload, kind: FilterKind, load: LoadSegment | undefined): Become {
  const bytes = segmentBytes(shape);
  /** Throws a `capacity` error if keys were refused. */
  const throwIfRefused = (refused: number | undefined) => {
    if (refused === undefined) throw new Error(`a ${kind.name} filter has no such drafts`);
    if (refused > 0) throw full();
  };
  const becomeDraft = (segment: number, { kernel, address, work, draftScratch }: SegmentPlace, before: State) => {
    if (before === STATE.present) kernel.bytes(draftScratch, bytes).set(kernel.bytes(address, bytes));
    else load?.(segment, { kernel, address: draftScratch });
    kernel.exports.clear(address, DRAFT_HEAD_BYTES);
    const isEmpty = before === STATE.missing && load === undefined;
    if (!isEmpty) throwIfRefused(work.mergeFrom?.(address, draftScratch, shape));
  };
  const becomeScreened = (place: SegmentPlace, before: State) => {
    const { kernel, address } = place;
    if (before === STATE.missing) kernel.exports.clear(address, DRAFT_HEAD_BYTES);
    throwIfRefused(protecting(place).screen(address));
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
  return (wanted, segment, place, before) => {
    if (wanted === STATE.screened) becomeScreened(place, before);
    else (wanted === STATE.draft ? becomeDraft : becomeSegment)(segment, place, before);
  };
}
