import { BloomError } from '../errors.ts';
import { DRAFT_HEAD_BYTES, type FilterKind } from '../filters/kind.ts';
import { type Kernel, loadKernel } from '../kernel/kernel.ts';
import { columnsOf, segmentsOf, slicesOf } from '../sizing/chain.ts';
import { LINE_BITS, segmentBytes } from '../sizing/geometry.ts';
import { type Payload, STATE, type State } from './payload.ts';
import { type Digests, VISIT_LIMIT } from './segment-visits.ts';

/** With fewer probes a cache line than this, missing the cache is cheaper than reading the whole segment first. */
const PROBES_PER_LINE = 0.5;

/** The error for a filter that keys found no room in, where nobody has counted them. */
export function full(): BloomError {
  return new BloomError('capacity', 'nothing was written: the filter is full', 'build it with a larger -n');
}

/** A segment and the kernel in whose memory it is. */
export interface Place {
  readonly kernel: Kernel;
  readonly address: number;
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
  addNew(column: number, digests: Digests, room: number): { taken: number; added: number };
  /**
   * Tests digests in the segments of a column: a byte each at `hits`, in the thread's own kernel; returns the number of
   * ones.
   */
  test(column: number, digests: Digests, hits: number): number;
  /** Where a segment is, once it is there. */
  find(segment: number): Place;
  /** How full each segment is, in the unit of the kind. */
  fills(): number[];
  /** Turns drafts into segments, but for those that another thread is at. */
  seal(): void;
}

const NONE = new Uint8Array(VISIT_LIMIT);

/** Notes hits beside those that are known, and returns how many are new. */
function merge(known: Uint8Array, hits: Uint8Array): number {
  let more = 0;
  for (let i = 0; i < known.length; i++) {
    if (known[i] === 1 || hits[i] === 0) continue;
    known[i] = 1;
    more++;
  }
  return more;
}

/** Puts into its place what a segment holds at first. */
export type Bring = (segment: number, place: Place) => void;

/**
 * Takes a seat, counted from 0, at a payload. `bring` is called once for each segment that is needed; without it they
 * begin empty.
 */
export function openPayload(payload: Payload, kind: FilterKind, own: Kernel, seat: number, bring?: Bring): Segments {
  const { shape, segmentsEach, base, stride, drafts, states } = payload;
  const bytes = segmentBytes(shape);
  const desk = payload.desks[seat] ?? 0;
  const hitsAt = desk + 8 * VISIT_LIMIT;
  const scratch = hitsAt + VISIT_LIMIT;
  const open = drafts ? STATE.draft : STATE.there;
  const slices = slicesOf(shape);
  const columns = columnsOf(shape);
  const firsts = slices.map((_, i) => segmentsOf({ slices: slices.slice(0, i) }));
  /** The segments of a column, one in each slice. */
  const inColumn = (column: number) =>
    slices.map(({ segments }, i) => (firsts[i] ?? 0) + Math.floor((column * segments) / columns));
  const rooms = payload.memories.map((memory) => {
    const kernel = loadKernel(memory);
    return {
      kernel,
      works: slices.map(({ hashes }) => kind.attach(kernel, { ...shape, hashes }, scratch)),
      digests: kernel.bytes(desk, 8 * VISIT_LIMIT),
      hits: kernel.bytes(hitsAt, VISIT_LIMIT),
    };
  });
  const roomOf = (segment: number) => {
    const room = rooms[Math.floor(segment / segmentsEach)];
    const work = room?.works[firsts.findLastIndex((first) => first <= segment)];
    if (room === undefined || work === undefined) throw new Error(`there is no segment ${segment}`);
    return { ...room, work, address: base + (segment % segmentsEach) * stride };
  };
  type Room = ReturnType<typeof roomOf>;

  /** Waits until the segment is nobody's, takes it, and returns the state that it was in. */
  const take = (segment: number): State => {
    for (;;) {
      for (const state of [STATE.there, STATE.draft, STATE.missing]) {
        if (Atomics.compareExchange(states, segment, state, STATE.taken) === state) return state;
      }
      Atomics.wait(states, segment, STATE.taken);
    }
  };
  const release = (segment: number, state: State) => {
    Atomics.store(states, segment, state);
    Atomics.notify(states, segment);
  };
  /** Makes of a segment, which this thread has taken, what is wanted: the segment or its draft. */
  const turn = (segment: number, room: Room, before: State, wanted: State) => {
    const { kernel, work, address } = room;
    const isEmpty = before === STATE.missing && bring === undefined;
    if (wanted === STATE.draft) {
      if (before === STATE.there) kernel.bytes(scratch, bytes).set(kernel.bytes(address, bytes));
      else bring?.(segment, { kernel, address: scratch });
      kernel.run.clear(address, DRAFT_HEAD_BYTES);
      if (!isEmpty) heed(work.unite?.(address, scratch, shape));
    } else if (before === STATE.missing && bring !== undefined) bring(segment, room);
    else {
      if (isEmpty) kernel.run.clear(address, drafts ? DRAFT_HEAD_BYTES : bytes);
      if (drafts) heed(work.seal?.(address));
    }
  };
  /** Throws a `capacity` error if keys were refused. */
  const heed = (refused: number | undefined) => {
    if (refused === undefined) throw new Error(`a ${kind.name} filter has no such drafts`);
    if (refused > 0) throw full();
  };
  /** Does some work on a segment, or its draft, that no other thread is at meanwhile. */
  const during = <T>(segment: number, wanted: State, work: (room: Room) => T): T => {
    const room = roomOf(segment);
    let state = take(segment);
    try {
      if (state !== wanted) turn(segment, room, state, wanted);
      state = wanted;
      return work(room);
    } finally {
      release(segment, state);
    }
  };
  /** A segment that is there and that nobody changes. */
  const settled = (segment: number): Room => {
    if (Atomics.load(states, segment) === STATE.there) return roomOf(segment);
    return during(segment, STATE.there, (room) => room);
  };
  /** Brings the digests to the desk, and the segment into the cache if that is worth it. */
  const prepare = ({ kernel, address, digests }: Room, { address: from, count }: Digests, state: State) => {
    digests.set(own.bytes(from, 8 * count));
    if (state === STATE.draft || shape.segments === 1) return;
    if (count * shape.hashes > PROBES_PER_LINE * (shape.segmentBits / LINE_BITS)) kernel.run.warm(address, bytes);
  };
  /** Asks segments about digests: a byte each, 1 if any of them may have it, and the number of ones. */
  const ask = (segments: readonly number[], digests: Digests): { known: Uint8Array; found: number } => {
    let known: Uint8Array = NONE.subarray(0, digests.count);
    let found = 0;
    for (const segment of segments) {
      const room = settled(segment);
      prepare(room, digests, STATE.there);
      const hits = room.hits.subarray(0, digests.count);
      const now = room.work.test(room.address, desk, digests.count, hitsAt);
      if (segment === segments[0]) [known, found] = [segments.length > 1 ? hits.slice() : hits, now];
      else if (now > 0) found += merge(known, hits);
    }
    return { known, found };
  };
  return {
    add: (segment, digests) =>
      during(segment, open, (room) => {
        prepare(room, digests, open);
        return room.work.add(room.address, desk, digests.count);
      }),
    remove: (segment, digests) =>
      during(segment, open, (room) => {
        if (room.work.remove === undefined) throw new Error(`a ${kind.name} filter removes nothing`);
        prepare(room, digests, open);
        return room.work.remove(room.address, desk, digests.count);
      }),
    addNew(column, digests, limit) {
      const segments = inColumn(column);
      const last = segments.pop() ?? 0;
      const { known } = ask(segments, digests);
      return during(last, open, (room) => {
        prepare(room, digests, open);
        room.hits.set(known);
        const counts = room.work.addNew?.(room.address, desk, digests.count, hitsAt, limit);
        if (counts === undefined) throw new Error(`a ${kind.name} filter does not grow`);
        return counts;
      });
    },
    test(column, digests, hits) {
      const { known, found } = ask(inColumn(column), digests);
      own.bytes(hits, digests.count).set(known);
      return found;
    },
    find: settled,
    fills: () =>
      Array.from({ length: shape.segments }, (_, segment) => {
        const { work, address } = settled(segment);
        return work.fill(address);
      }),
    seal() {
      for (let segment = 0; segment < shape.segments; segment++) {
        const state = Atomics.load(states, segment);
        if (state === STATE.draft || (drafts && bring === undefined && state === STATE.missing)) settled(segment);
      }
    },
  };
}
