import { freemem } from 'node:os';
import { BloomError } from '../errors.ts';
import type { FilterKind, Shape } from '../filters/kind.ts';
import { type Kernel, loadKernel, MEMORY_LIMIT } from '../kernel/kernel.ts';
import { LINE_BITS, payloadBytes, segmentBytes } from '../sizing/geometry.ts';
import { type Digests, VISIT_LIMIT } from './segment-visits.ts';

/**
 * Where the segments of a filter lie: in one memory, or, as addresses have 32 bits, divided among several. Threads hand
 * it to each other as a message.
 */
export interface Payload {
  readonly shape: Shape;
  readonly memories: readonly WebAssembly.Memory[];
  /** Segments of each memory; the last may have fewer. */
  readonly segmentsEach: number;
  /** Address of the first segment of each memory. */
  readonly base: number;
  /** Address, in each memory, of every thread's desk: room for the digests of a visit, then for their hits. */
  readonly desks: readonly number[];
  /** One `STATE` a segment. */
  readonly states: Int32Array;
}

/** Nothing was brought to it yet; somebody works on it alone; it is there. */
const STATE = { missing: 0, taken: 1, there: 2 } as const;

const DESK_BYTES = 9 * VISIT_LIMIT;

/** Bytes of a memory that are not for segments: what the kernel has, and the desks. */
const overhead = (seats: number) => 65_536 + seats * (DESK_BYTES + LINE_BITS / 8);

/** With fewer probes a cache line than this, missing the cache is cheaper than reading the whole segment first. */
const PROBES_PER_LINE = 0.5;

/** Memories that a process may have: V8 reserves ten thousand million addresses for each. */
const MEMORIES_LIMIT = 256;

/**
 * Throws a `memory` error for a filter that is larger than the memory that is free: work on all of its segments would
 * end with the process being killed.
 */
export function requireMemory(shape: Shape): void {
  const [needed, free] = [payloadBytes(shape), process.availableMemory?.() ?? freemem()];
  if (needed <= free) return;
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  throw new BloomError(
    'memory',
    `the filter takes ${mebibytes(needed)} of memory, and ${mebibytes(free)} are free`,
    'use a higher rate or several filters of fewer keys; query -e works without this memory',
  );
}

/** The error for keys that found no room in a segment that is that full. */
export function noRoom(kind: FilterKind, shape: Shape, refused: number, fill: number): BloomError {
  const share = kind.fillRatio([fill], { ...shape, segments: 1, bits: shape.segmentBits });
  return new BloomError(
    'capacity',
    `nothing was written: the filter is full, ${(100 * share).toFixed(1)} % of the ${kind.places} of a segment are taken and there is no room for ${refused} more keys`,
    `build it with a larger -n${kind.room(1, 2) > 1 ? ': keys that are added more than once take more room' : ''}`,
  );
}

/** Reserves the room for a filter that `seats` threads work on, in memories up to a limit. Throws a `memory` error. */
export function createPayload(shape: Shape, seats: number, limit = MEMORY_LIMIT): Payload {
  const bytes = segmentBytes(shape);
  const segmentsEach = Math.min(shape.segments, Math.floor((limit - overhead(seats)) / bytes));
  const count = Math.ceil(shape.segments / segmentsEach);
  if (count > MEMORIES_LIMIT) {
    throw new BloomError('memory', `a filter of ${payloadBytes(shape)} bytes is more than this program can hold`);
  }
  let layout: Pick<Payload, 'base' | 'desks'> = { base: 0, desks: [] };
  const memories = Array.from({ length: count }, (_, i) => {
    const kernel = loadKernel();
    const desks = Array.from({ length: seats }, () => kernel.reserve(DESK_BYTES));
    layout = { desks, base: kernel.reserve(Math.min(segmentsEach, shape.segments - i * segmentsEach) * bytes) };
    return kernel.memory;
  });
  const states = new Int32Array(new SharedArrayBuffer(4 * shape.segments));
  return { shape, memories, segmentsEach, ...layout, states };
}

/** A segment and the kernel in whose memory it is. */
export interface Place {
  readonly kernel: Kernel;
  readonly address: number;
}

/** A thread's access to the segments of a filter. */
export interface Segments {
  /** Adds digests, which lie in the thread's own kernel, to their segment, while no other thread does. */
  add(segment: number, digests: Digests): void;
  /** Removes digests from their segment, but for those that are absent, and returns their number. */
  remove(segment: number, digests: Digests): number;
  /** Tests digests: a byte each at `hits`, in the thread's own kernel; returns the number of ones. */
  test(segment: number, digests: Digests, hits: number): number;
  /** Where a segment is, once it is there. */
  find(segment: number): Place;
  /** How full each segment is, in the unit of the kind. */
  fills(): number[];
}

/** Puts into its place what a segment holds at first. */
export type Bring = (segment: number, place: Place) => void;

/** Takes a seat, counted from 0, at a payload. `bring` is called once for each segment that is needed. */
export function openPayload(payload: Payload, kind: FilterKind, own: Kernel, seat: number, bring: Bring): Segments {
  const { shape, segmentsEach, base, states } = payload;
  const bytes = segmentBytes(shape);
  const desk = payload.desks[seat] ?? 0;
  const hitsAt = desk + 8 * VISIT_LIMIT;
  const rooms = payload.memories.map((memory) => {
    const kernel = loadKernel(memory);
    return {
      kernel,
      work: kind.attach(kernel, shape),
      digests: kernel.bytes(desk, 8 * VISIT_LIMIT),
      hits: kernel.bytes(hitsAt, VISIT_LIMIT),
    };
  });
  const roomOf = (segment: number) => {
    const room = rooms[Math.floor(segment / segmentsEach)];
    if (room === undefined) throw new Error(`there is no segment ${segment}`);
    return { ...room, address: base + (segment % segmentsEach) * bytes };
  };

  /** Waits until the segment is nobody's, and takes it; it is brought first if it has to be. */
  const take = (segment: number, place: Place) => {
    for (;;) {
      if (Atomics.compareExchange(states, segment, STATE.there, STATE.taken) === STATE.there) return;
      if (Atomics.compareExchange(states, segment, STATE.missing, STATE.taken) === STATE.missing) break;
      Atomics.wait(states, segment, STATE.taken);
    }
    try {
      bring(segment, place);
    } catch (error) {
      release(segment, STATE.missing);
      throw error;
    }
  };
  const release = (segment: number, state: number = STATE.there) => {
    Atomics.store(states, segment, state);
    Atomics.notify(states, segment);
  };
  const require = (segment: number, place: Place) => {
    if (Atomics.load(states, segment) === STATE.there) return;
    take(segment, place);
    release(segment);
  };
  /** Brings the digests to the desk, and the segment into the cache if that is worth it. */
  const prepare = ({ kernel, address, digests }: ReturnType<typeof roomOf>, { address: from, count }: Digests) => {
    digests.set(own.bytes(from, 8 * count));
    if (shape.segments > 1 && count * shape.hashes > PROBES_PER_LINE * (shape.segmentBits / LINE_BITS)) {
      kernel.run.warm(address, bytes);
    }
  };
  return {
    add(segment, digests) {
      const room = roomOf(segment);
      take(segment, room);
      prepare(room, digests);
      const refused = room.work.add(room.address, desk, digests.count);
      release(segment);
      if (refused > 0) throw noRoom(kind, shape, refused, room.work.fill(room.address));
    },
    remove(segment, digests) {
      const room = roomOf(segment);
      if (room.work.remove === undefined) throw new Error(`a ${kind.name} filter removes nothing`);
      take(segment, room);
      prepare(room, digests);
      const removed = room.work.remove(room.address, desk, digests.count);
      release(segment);
      return removed;
    },
    test(segment, digests, hits) {
      const room = roomOf(segment);
      require(segment, room);
      prepare(room, digests);
      const found = room.work.test(room.address, desk, digests.count, hitsAt);
      own.bytes(hits, digests.count).set(room.hits.subarray(0, digests.count));
      return found;
    },
    find(segment) {
      const room = roomOf(segment);
      require(segment, room);
      return room;
    },
    fills: () =>
      Array.from({ length: shape.segments }, (_, segment) => {
        const room = roomOf(segment);
        require(segment, room);
        return room.work.fill(room.address);
      }),
  };
}
