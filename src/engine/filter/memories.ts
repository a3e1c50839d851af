import { BloomError } from '../../errors.ts';
import { growTo, loadKernel, MEMORY_LIMIT } from '../../kernel/kernel.ts';
import { bytes } from '../../quantities.ts';
import { LINE_BITS } from '../../sizing/geometry.ts';

/** Equal pieces in one memory, or, as addresses have 32 bits, divided among several. */
export interface Memories {
  readonly memories: readonly WebAssembly.Memory[];
  /** Pieces of each memory; the last may have fewer. */
  readonly piecesEach: number;
  /** Address of the first piece of each memory. */
  readonly base: number;
  /** Address, in each memory, of every thread's scratch. */
  readonly scratches: readonly number[];
}

/** What memories are to hold: pieces, and a scratch for each thread. */
export interface Room {
  readonly pieces: number;
  readonly pieceBytes: number;
  readonly threadCount: number;
  readonly scratchBytes: number;
  /** Bytes of a memory, at most. */
  readonly limit?: number | undefined;
}

/** Bytes of a memory that are not for pieces: what the kernel has, and the scratches. */
const overhead = ({ threadCount, scratchBytes }: Room) => 65_536 + threadCount * (scratchBytes + LINE_BITS / 8);

/** Memories that a process may have: V8 reserves ten thousand million addresses for each. */
const MEMORIES_LIMIT = 256;

/** Reserves room in as many memories as it takes, filled with zeros. Throws a `memory` error. */
export function createMemories(room: Room): Memories {
  return resizeMemories({ memories: [], piecesEach: 0, base: 0, scratches: [] }, room);
}

/**
 * The same memories, and more if it takes them, for another number of pieces: behind those that there are, or without the
 * last of them. Throws a `memory` error.
 */
export function resizeMemories(from: Memories, room: Room): Memories {
  const { pieces, pieceBytes, threadCount, scratchBytes, limit = MEMORY_LIMIT } = room;
  const most = Math.min(pieces, Math.floor((limit - overhead(room)) / pieceBytes));
  const piecesEach = from.memories.length > 1 ? from.piecesEach : most;
  const count = Math.ceil(pieces / piecesEach);
  if (piecesEach < 1 || count > MEMORIES_LIMIT) throw tooLarge(pieces * pieceBytes);
  let layout: Pick<Memories, 'base' | 'scratches'> = from;
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
  return { memories, piecesEach, base: layout.base, scratches: layout.scratches };
}

/** The error for a filter of so many bytes. */
export function tooLarge(needed: number): BloomError {
  return new BloomError(
    'memory',
    `the filter takes ${bytes(needed)}, more than this program can hold`,
    'use a higher rate or several filters of fewer keys',
  );
}
