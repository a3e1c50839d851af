import { type BitArrayShape, POSITION_RULES, PROBES_LIMIT } from '../../filters/position-rules.ts';
import { MEMORY_LIMIT } from '../../kernel/kernel.ts';
import { createPagedMemory, type PagedMemory, tooLarge } from './paged-memory.ts';

/** The positions of the pages of a bit array. Threads pass this to each other as a message. */
export interface BitArrayPayload extends PagedMemory {
  readonly shape: BitArrayShape;
  /** The index of the array's first page in these memories, which other arrays may share. */
  readonly firstPage: number;
}

/** A page lies in one memory, and is read as a whole. */
export const PAGE_BYTES = 65_536;
export const PAGE_BITS = 8 * PAGE_BYTES;

/** Keys that are queried or added in one batch. Larger batches are not faster, and their positions would not fit in the cache. */
export const BATCH = 2048;

/** Positions that are computed in one call. All positions of a key are set in one call. */
export const POSITIONS_LIMIT = PROBES_LIMIT;

/** Reserves memory for an array of zeros that `threadCount` threads work on. Throws a `memory` error. */
export function createBitArrayPayload(shape: BitArrayShape, threadCount: number, limit?: number): BitArrayPayload {
  const [payload] = createBitArrayPayloads([shape], threadCount, limit);
  if (payload === undefined) throw new Error('there is no array');
  return payload;
}

/** The same for several arrays in shared memories; their digests have the same length. */
export function createBitArrayPayloads(
  shapes: readonly BitArrayShape[],
  threadCount: number,
  limit?: number,
): BitArrayPayload[] {
  const tooMany = shapes.find(({ k }) => k > PROBES_LIMIT);
  if (tooMany !== undefined) throw new Error(`${tooMany.k} probes are more than ${PROBES_LIMIT}`);
  const pieces = shapes.reduce((sum, shape) => sum + pagesOf(shape), 0);
  const scratchBytes = shapes.reduce((most, shape) => Math.max(most, bitArrayScratch(shape, 0, pieces).end), 0);
  const memory = createPagedMemory({
    pieces,
    pieceBytes: PAGE_BYTES,
    threadCount,
    scratchBytes,
    areZeros: true,
    limit,
  });
  const isTogether = ({ rule }: BitArrayShape) => 'together' in POSITION_RULES[rule];
  if (shapes.some(isTogether) && memory.memories.length > 1) throw tooLarge(pieces * PAGE_BYTES);
  let next = 0;
  return shapes.map((shape) => {
    const firstPage = next;
    next += pagesOf(shape);
    return { ...memory, shape, firstPage };
  });
}

export function pagesOf({ bits }: Pick<BitArrayShape, 'bits'>): number {
  return Math.ceil(bits / PAGE_BITS);
}

/** Bytes per digest. */
export function digestBytes({ shape }: Pick<BitArrayPayload, 'shape'>): number {
  return 8 * (shape.digest?.words ?? POSITION_RULES[shape.rule].words);
}

/** The layout of a thread's scratch at an address, for memories with `pageCount` pages. Each section begins at a multiple of 64. */
export function bitArrayScratch(shape: BitArrayShape, address: number, pageCount = pagesOf(shape)) {
  /** The parameters of the array and of the rule for the kernel: up to 8 numbers each. */
  const array = address;
  /** Bits that are all ones. */
  const ones = array + 64;
  const parameters = ones + 64;
  const digests = parameters + 64;
  /** Indices of digests. */
  const keys = digests + digestBytes({ shape }) * BATCH;
  const positions = keys + 4 * BATCH;
  /** Indices of wanted pages. The kernel may write one more than there are positions. */
  const pages = positions + 8 * POSITIONS_LIMIT;
  /** One byte per key. */
  const hits = pages + 4 * POSITIONS_LIMIT + 64;
  /** One byte per page of the memory. */
  const known = hits + BATCH;
  const end = known + Math.min(pageCount, MEMORY_LIMIT / PAGE_BYTES);
  return { array, ones, parameters, digests, keys, positions, pages, hits, known, end };
}
