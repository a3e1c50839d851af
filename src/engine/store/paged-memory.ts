import { BloomError } from '../../errors.ts';
import { growTo, type Kernel, loadKernel, MEMORY_LIMIT } from '../../kernel/kernel.ts';
import { bytes } from '../../quantities.ts';
import { LINE_BITS } from '../../sizing/geometry.ts';

/**
 * Equal pieces, such as segments or pages, in one memory, or, as addresses have 32 bits, divided among several; threads hand
 * it to each other as a message.
 */
export interface PagedMemory {
  readonly memories: readonly WebAssembly.Memory[];
  /** Bytes from one piece to the next. */
  readonly pieceBytes: number;
  /** Pieces of each memory; the last may have fewer. */
  readonly piecesEach: number;
  /** Address of the first piece of each memory. */
  readonly base: number;
  /** Address, in each memory, of every thread's scratch. */
  readonly scratches: readonly number[];
  /** One `STATE` a piece. */
  readonly states: Int32Array;
}

/** Of a piece: nothing was brought to it yet; somebody works on it alone; it is there; its draft is there. */
export const STATE = { missing: 0, taken: 1, there: 2, draft: 3 } as const;
export type State = (typeof STATE)[keyof typeof STATE];

/** What memories are to hold: pieces, and a scratch for each thread. */
export interface Room {
  readonly pieces: number;
  readonly pieceBytes: number;
  readonly threadCount: number;
  readonly scratchBytes: number;
  /** Bytes of a memory, at most. */
  readonly limit?: number | undefined;
}

/** A piece and the kernel in whose memory it is. */
export interface Place {
  readonly kernel: Kernel;
  readonly address: number;
}

/** Bytes of a memory that are not for pieces: what the kernel has, and the scratches. */
const overhead = ({ threadCount, scratchBytes }: Room) => 65_536 + threadCount * (scratchBytes + LINE_BITS / 8);

/** Memories that a process may have: V8 reserves ten thousand million addresses for each. */
const MEMORIES_LIMIT = 256;

const NONE: PagedMemory = {
  memories: [],
  pieceBytes: 0,
  piecesEach: 0,
  base: 0,
  scratches: [],
  states: new Int32Array(),
};

/** Reserves room in as many memories as it takes, filled with zeros. Throws a `memory` error. */
export function createPagedMemory(room: Room): PagedMemory {
  return resized(NONE, room);
}

/** The same memories, whose pieces are missing; so many of them, and no more than there are. */
export function emptied(memory: PagedMemory, pieces: number): PagedMemory {
  return { ...memory, states: statesOf(pieces) };
}

/**
 * The same memories, and more if it takes them, for another number of pieces: behind those that there are, or without the
 * last of them. Throws a `memory` error.
 */
export function resized(from: PagedMemory, room: Room): PagedMemory {
  const { pieces, pieceBytes, threadCount, scratchBytes, limit = MEMORY_LIMIT } = room;
  const most = Math.min(pieces, Math.floor((limit - overhead(room)) / pieceBytes));
  const piecesEach = from.memories.length > 1 ? from.piecesEach : most;
  const count = Math.ceil(pieces / piecesEach);
  if (piecesEach < 1 || count > MEMORIES_LIMIT) throw tooLarge(pieces * pieceBytes);
  let layout: Pick<PagedMemory, 'base' | 'scratches'> = from;
  const memories = Array.from({ length: count }, (_, i) => {
    const bytes = Math.min(piecesEach, pieces - i * piecesEach) * pieceBytes;
    const existing = from.memories[i];
    if (existing !== undefined) {
      growTo(existing, from.base + bytes);
      return existing;
    }
    const kernel = loadKernel();
    const scratches = Array.from({ length: threadCount }, () => kernel.reserve(scratchBytes));
    layout = { scratches, base: kernel.reserve(bytes) };
    return kernel.memory;
  });
  const { base, scratches } = layout;
  return { memories, pieceBytes, piecesEach, base, scratches, states: statesOf(pieces, from.states) };
}

/** The states of pieces, which all threads see; as many as can be have those that they had. */
function statesOf(pieces: number, before: Int32Array = new Int32Array()): Int32Array {
  const states = new Int32Array(new SharedArrayBuffer(4 * pieces));
  states.set(before.subarray(0, pieces));
  return states;
}

/** The error for a filter of so many bytes. */
export function tooLarge(needed: number): BloomError {
  return new BloomError(
    'memory',
    `the filter takes ${bytes(needed)}, more than this program can hold`,
    'use a higher rate or several filters of fewer keys',
  );
}

/** Kernels of a thread at work on memories. */
export function kernelsOf({ memories }: Pick<PagedMemory, 'memories'>): Kernel[] {
  return memories.map((memory) => loadKernel(memory));
}

/** Where a piece is, in the memories of these kernels, whatever its state. */
export function placeIn(
  { base, pieceBytes, piecesEach }: PagedMemory,
  kernels: readonly Kernel[],
  piece: number,
): Place {
  const kernel = kernels[Math.floor(piece / piecesEach)];
  if (kernel === undefined) throw new Error(`there is no piece ${piece}`);
  return { kernel, address: base + (piece % piecesEach) * pieceBytes };
}

/** How a thread gets at pieces that others may be at. */
export interface PieceAccess {
  /** Does some work on a piece that no other thread is at meanwhile, and that is what is wanted by then. */
  during<T>(piece: number, wanted: State, work: () => T): T;
  /** Sees to it that a piece is there. */
  settle(piece: number): void;
}

/** Access by way of states, which all threads see; `become` makes of a piece, and of the state that it was in, what is wanted. */
export function accessTo(
  { states }: Pick<PagedMemory, 'states'>,
  become: (piece: number, wanted: State, before: State) => void,
): PieceAccess {
  const take = (piece: number): State => {
    for (;;) {
      for (const state of [STATE.there, STATE.draft, STATE.missing]) {
        if (Atomics.compareExchange(states, piece, state, STATE.taken) === state) return state;
      }
      Atomics.wait(states, piece, STATE.taken);
    }
  };
  const during = <T>(piece: number, wanted: State, work: () => T): T => {
    let state = take(piece);
    try {
      if (state !== wanted) become(piece, wanted, state);
      state = wanted;
      return work();
    } finally {
      Atomics.store(states, piece, state);
      Atomics.notify(states, piece);
    }
  };
  return {
    during,
    settle(piece) {
      if (Atomics.load(states, piece) !== STATE.there) during(piece, STATE.there, () => {});
    },
  };
}
