import { type FlatShape, POSITION_RULES, PROBES_LIMIT } from '../../filters/position-rules.ts';
import { MEMORY_LIMIT } from '../../kernel/kernel.ts';
import { createMemories, type Memories } from './memories.ts';

/** Where the pages of a flat array lie, and who is at them. Threads hand it to each other as a message. */
export interface FlatPayload extends Memories {
  readonly shape: FlatShape;
  /** One `STATE` a page. */
  readonly states: Int32Array;
}

/** A page lies in one memory, and is read as a whole. */
export const PAGE_BYTES = 65_536;
export const PAGE_BITS = 8 * PAGE_BYTES;

/** Keys that are asked or added together: more do no better, and their positions would leave the cache. */
export const BATCH = 2048;

/** Positions that are made at a time: all of a key are set at the same time. */
export const POSITIONS_LIMIT = PROBES_LIMIT;

/** Reserves the room for an array of zeros that so many threads work on. Throws a `memory` error. */
export function createFlatPayload(shape: FlatShape, threadCount: number, limit?: number): FlatPayload {
  if (shape.k > PROBES_LIMIT) throw new Error(`${shape.k} probes are more than ${PROBES_LIMIT}`);
  const pieces = pagesOf(shape);
  const scratchBytes = flatScratch(shape, 0).end;
  const memories = createMemories({ pieces, pieceBytes: PAGE_BYTES, threadCount, scratchBytes, limit });
  return { shape, ...memories, states: new Int32Array(new SharedArrayBuffer(4 * pieces)) };
}

export function pagesOf({ bits }: FlatShape): number {
  return Math.ceil(bits / PAGE_BITS);
}

/** The parts of a thread's scratch at an address, each from a multiple of 64 on. */
export function flatScratch(shape: FlatShape, address: number) {
  /** What the kernel is told of the array, and of the rule: up to 8 numbers each. */
  const array = address;
  /** Bits that are ones. */
  const ones = array + 64;
  const parameters = ones + 64;
  const digests = parameters + 64;
  /** Indices of digests. */
  const keys = digests + 8 * POSITION_RULES[shape.rule].words * BATCH;
  const positions = keys + 4 * BATCH;
  /** Pages that are wanted; the kernel may write one more than there are positions. */
  const pages = positions + 8 * POSITIONS_LIMIT;
  /** A byte for each key. */
  const hits = pages + 4 * POSITIONS_LIMIT + 64;
  /** A byte for each page of the memory. */
  const known = hits + BATCH;
  const end = known + Math.min(pagesOf(shape), MEMORY_LIMIT / PAGE_BYTES);
  return { array, ones, parameters, digests, keys, positions, pages, hits, known, end };
}
