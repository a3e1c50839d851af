import { BloomError } from '../../errors.ts';
import { giveBack, growTo, type Kernel, loadKernel, MEMORY_LIMIT, takeKernel } from '../../kernel/kernel.ts';
import { bytes } from '../../quantities.ts';
import { LINE_BITS } from '../../sizing/geometry.ts';

/**
 * Equal pieces, such as segments or pages, in one memory or in several, because addresses have 32 bits. Threads pass this to each other as
 * a message.
 */
export interface PagedMemory {
  readonly memories: readonly WebAssembly.Memory[];
  /** Bytes from one piece to the next. */
  readonly pieceBytes: number;
  /** Pieces per memory; the last memory may have fewer. */
  readonly piecesEach: number;
  /** Address of the first piece in each memory. */
  readonly base: number;
  /** Address of each thread's scratch, the same in every memory. */
  readonly scratches: readonly number[];
  /** One `STATE` per piece. */
  readonly states: Int32Array;
}

/**
 * The states of a piece: not loaded or begun yet; one thread works on it alone; it is present; its draft is present; its draft has a
 * screen and gets protected keys.
 */
export const STATE = { missing: 0, locked: 1, present: 2, draft: 3, screened: 4 } as const;
export type State = (typeof STATE)[keyof typeof STATE];

/** The content of memories: pieces, and a scratch for each thread. */
export interface MemoryPlan {
  readonly pieces: number;
  readonly pieceBytes: number;
  readonly threadCount: number;
  readonly scratchBytes: number;
  /** Pieces that are not loaded begin as zeros. Otherwise they begin with any content. */
  readonly areZeros: boolean;
  /** Bytes of a memory, at most. */
  readonly limit?: number | undefined;
}

/** The address of a piece, and the kernel in whose memory it is. */
export interface Place {
  readonly kernel: Kernel;
  readonly address: number;
}

/** Bytes of a memory that are not for pieces: the kernel's own data, and the scratches. */
const overhead = ({ threadCount, scratchBytes }: MemoryPlan) => 65_536 + threadCount * (scratchBytes + LINE_BITS / 8);

/** Bytes of a memory that is cleared for another filter. Clearing takes time, and space for pages that were never written. */
const CLEARED_LIMIT = 2 ** 28;

/** Memories that a process may have. V8 reserves 10^10 addresses for each memory. */
const MEMORIES_LIMIT = 256;

const NONE: PagedMemory = {
  memories: [],
  pieceBytes: 0,
  piecesEach: 0,
  base: 0,
  scratches: [],
  states: new Int32Array(),
};

/** Reserves as many memories as the pieces need. Throws a `memory` error. */
export function createPagedMemory(plan: MemoryPlan): PagedMemory {
  return resized(NONE, plan);
}

/** The same memories with `pieces` missing pieces, at most as many as before. */
export function emptied(memory: PagedMemory, pieces: number): PagedMemory {
  return { ...memory, states: statesOf(pieces) };
}

/**
 * The same memories for another number of pieces: more pieces follow the present ones, or the last ones are cut off. Adds memories if
 * necessary. Throws a `memory` error.
 */
export function resized(from: PagedMemory, plan: MemoryPlan): PagedMemory {
  const { pieces, pieceBytes, threadCount, scratchBytes, areZeros, limit = MEMORY_LIMIT } = plan;
  const most = Math.min(pieces, Math.floor((limit - overhead(plan)) / pieceBytes));
  const piecesEach = from.memories.length > 1 ? from.piecesEach : most;
  const count = Math.ceil(pieces / piecesEach);
  if (piecesEach < 1 || count > MEMORIES_LIMIT) throw tooLarge(pieces * pieceBytes);
  let layout: Pick<PagedMemory, 'base' | 'scratches'> = from;
  const memories = Array.from({ length: count }, (_, i) => {
    const bytes = Math.min(piecesEach, pieces - i * piecesEach) * pieceBytes;
    const existing = from.memories[i];
    if (existing !== undefined) {
      growTo(existing, from.base + bytes);
      // Its kernel does not know how far the memory is used now, so it could not clear the memory for another filter.
      makers.delete(existing);
      return existing;
    }
    const kernel = areZeros && bytes > CLEARED_LIMIT ? loadKernel() : takeKernel(bytes + overhead(plan));
    makers.set(kernel.memory, kernel);
    const scratches = Array.from({ length: threadCount }, () => kernel.reserve(scratchBytes));
    layout = { scratches, base: areZeros ? kernel.reserve(bytes) : kernel.reserveAny(bytes) };
    return kernel.memory;
  });
  const { base, scratches } = layout;
  return { memories, pieceBytes, piecesEach, base, scratches, states: statesOf(pieces, from.states) };
}

/** The states of pieces, shared by all threads. Pieces that were there before keep their states. */
function statesOf(pieces: number, before: Int32Array = new Int32Array()): Int32Array {
  const states = new Int32Array(new SharedArrayBuffer(4 * pieces));
  states.set(before.subarray(0, pieces));
  return states;
}

/** The error for a filter of this many bytes. */
export function tooLarge(needed: number): BloomError {
  return new BloomError(
    'memory',
    `the filter needs ${bytes(needed)} of memory, which is too much`,
    'state a higher -p, or build several filters of fewer keys',
  );
}

/** The kernels that have made memories: a thread needs no second instance for its own. */
const makers = new WeakMap<WebAssembly.Memory, Kernel>();

/** Gives the memories of a filter to the next one. No thread may use the filter any more. */
export function recycle({ memories }: Pick<PagedMemory, 'memories'>): void {
  for (const memory of memories) {
    const kernel = makers.get(memory);
    if (kernel !== undefined && makers.delete(memory)) giveBack(kernel);
  }
}

/** A thread's kernels, one per memory. */
export function kernelsOf({ memories }: Pick<PagedMemory, 'memories'>): Kernel[] {
  return memories.map((memory) => makers.get(memory) ?? loadKernel(memory));
}

/** The position of a piece in the memories of these kernels, whatever the state of the piece. */
export function placeIn(
  { base, pieceBytes, piecesEach }: PagedMemory,
  kernels: readonly Kernel[],
  piece: number,
): Place {
  const kernel = kernels[Math.floor(piece / piecesEach)];
  if (kernel === undefined) throw new Error(`there is no piece ${piece}`);
  return { kernel, address: base + (piece % piecesEach) * pieceBytes };
}

/** A thread's access to pieces that other threads may work on. */
export interface PieceAccess {
  /** Brings a piece into the wanted state, and does some work on it. No other thread works on the piece meanwhile. */
  during<T>(piece: number, wanted: State, work: () => T): T;
  /** Brings a piece into the state `present` if it is in another state. */
  ensure(piece: number): void;
}

/** Access through states that all threads share. `become` brings a piece from the state `before` into the wanted one. */
export function accessTo(
  { states }: Pick<PagedMemory, 'states'>,
  become: (piece: number, wanted: State, before: State) => void,
): PieceAccess {
  const lock = (piece: number): State => {
    for (;;) {
      for (const state of [STATE.present, STATE.draft, STATE.screened, STATE.missing]) {
        if (Atomics.compareExchange(states, piece, state, STATE.locked) === state) return state;
      }
      Atomics.wait(states, piece, STATE.locked);
    }
  };
  const during = <T>(piece: number, wanted: State, work: () => T): T => {
    let state = lock(piece);
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
    ensure(piece) {
      if (Atomics.load(states, piece) !== STATE.present) during(piece, STATE.present, () => {});
    },
  };
}
