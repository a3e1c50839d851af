import { type FlatShape, POSITION_RULES, PROBES_LIMIT } from '../../filters/position-rules.ts';
import { MEMORY_LIMIT } from '../../kernel/kernel.ts';
import { createPagedMemory, type PagedMemory, tooLarge } from './paged-memory.ts';

/** Where the pages of a flat array lie. Threads hand it to each other as a message. */
export interface FlatPayload extends PagedMemory {
  readonly shape: FlatShape;
  /** The first of its pages in these memories, where other arrays may have some too. */
  readonly firstPage: number;
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
  const [payload] = createFlatPayloads([shape], threadCount, limit);
  if (payload === undefined) throw new Error('there is no array');
  return payload;
}

/** The same for arrays of digests of one length, in memories that they share. */
export function createFlatPayloads(shapes: readonly FlatShape[], threadCount: number, limit?: number): FlatPayload[] {
  const tooMany = shapes.find(({ k }) => k > PROBES_LIMIT);
  if (tooMany !== undefined) throw new Error(`${tooMany.k} probes are more than ${PROBES_LIMIT}`);
  const pieces = shapes.reduce((sum, shape) => sum + pagesOf(shape), 0);
  const scratchBytes = shapes.reduce((most, shape) => Math.max(most, flatScratch(shape, 0, pieces).end), 0);
  const memory = createPagedMemory({ pieces, pieceBytes: PAGE_BYTES, threadCount, scratchBytes, limit });
  const isTogether = ({ rule }: FlatShape) => 'together' in POSITION_RULES[rule];
  if (shapes.some(isTogether) && memory.memories.length > 1) throw tooLarge(pieces * PAGE_BYTES);
  let next = 0;
  return shapes.map((shape) => {
    const firstPage = next;
    next += pagesOf(shape);
    return { ...memory, shape, firstPage };
  });
}

export function pagesOf({ bits }: Pick<FlatShape, 'bits'>): number {
  return Math.ceil(bits / PAGE_BITS);
}

/** Bytes of a digest. */
export function digestBytes({ shape }: Pick<FlatPayload, 'shape'>): number {
  return 8 * (shape.digest?.words ?? POSITION_RULES[shape.rule].words);
}

/** The parts of a thread's scratch at an address, each from a multiple of 64 on, for memories of so many pages. */
export function flatScratch(shape: FlatShape, address: number, pageCount = pagesOf(shape)) {
  /** What the kernel is told of the array, and of the rule: up to 8 numbers each. */
  const array = address;
  /** Bits that are ones. */
  const ones = array + 64;
  const parameters = ones + 64;
  const digests = parameters + 64;
  /** Indices of digests. */
  const keys = digests + digestBytes({ shape }) * BATCH;
  const positions = keys + 4 * BATCH;
  /** Pages that are wanted; the kernel may write one more than there are positions. */
  const pages = positions + 8 * POSITIONS_LIMIT;
  /** A byte for each key. */
  const hits = pages + 4 * POSITIONS_LIMIT + 64;
  /** A byte for each page of the memory. */
  const known = hits + BATCH;
  const end = known + Math.min(pageCount, MEMORY_LIMIT / PAGE_BYTES);
  return { array, ones, parameters, digests, keys, positions, pages, hits, known, end };
}
