import { freemem } from 'node:os';
import { BloomError } from '../../errors.ts';
import { bytesInMemory, draftScratchBytes, type InMemory } from '../../filters/drafts.ts';
import { type Shape, sum } from '../../filters/kind.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import { sliceBytes } from '../../filters/slices.ts';
import { bytes } from '../../quantities.ts';
import { SLICES_LIMIT } from '../../sizing/chain.ts';
import { SEGMENTS_LIMIT } from '../../sizing/geometry.ts';
import { wholeSegments } from '../../sizing/share.ts';
import { VISIT_BYTES } from '../input/digests.ts';
import { createPagedMemory, emptied, type MemoryPlan, type PagedMemory, resized, tooLarge } from './paged-memory.ts';

/**
 * The positions of the segments of a filter, or of their drafts; a tally may lie between them. A scratch holds the digests of a visit and
 * their hits, and serves work on drafts. Threads pass this to each other as a message.
 */
export interface Payload extends PagedMemory {
  readonly shape: Shape;
  /** The segments are being made or changed, as drafts. */
  readonly drafts: boolean;
}

const MEMORY_HINT = 'state a higher -p, or build several filters of fewer keys; query -e needs no such memory';

/**
 * Throws a `memory` error for a filter that is larger than the free memory; if the filter is to be changed, its drafts count. Otherwise the
 * system would kill the process while it works on all segments.
 */
export function requireMemory(
  shape: Shape,
  kind: InMemory = {},
  hint = () => MEMORY_HINT,
  free: number = freeMemory(),
): void {
  const needed = shape.segments * bytesInMemory(shape, kind);
  if (needed <= free) return;
  const what = shape.share === undefined ? 'the filter needs' : 'the part of the filter needs';
  throw new BloomError('memory', `${what} ${bytes(needed)} of memory, and ${bytes(free)} are free`, hint());
}

/** Bytes of filters that are queried together. */
export function bytesTogether(shapes: readonly Shape[]): number {
  return sum(shapes.map((shape) => shape.segments * bytesInMemory(shape, {})));
}

/** The same for a filter that is built from its keys, and that can be built in parts. */
export function requireMemoryToBuild(shape: Shape, kind: InMemory): void {
  requireMemory(shape, kind, () => {
    const parts = leastParts(wholeSegments(shape), bytesInMemory(shape, kind));
    if (parts === undefined || shape.chain !== undefined) return MEMORY_HINT;
    return `divide it into ${parts} parts or more: --passes ${parts} reads files so often, --part K/${parts} makes one of them`;
  });
}

/** The smallest number of parts so that each part fits in the free memory; undefined if not even a segment fits. */
function leastParts(segments: number, bytesEach: number): number | undefined {
  const most = Math.floor(freeMemory() / bytesEach);
  return most === 0 ? undefined : Math.ceil(segments / most);
}

/** Bytes of memory that are free or could be freed. 0 means that the system does not state it: a running process always has more. */
export function freeMemory(): number {
  return (process.availableMemory?.() ?? freemem()) || Number.POSITIVE_INFINITY;
}

/**
 * Reserves memory for a filter that `threadCount` threads work on; `limit` is the size of one memory. `kind` states what the segments need
 * beside their own bytes; drafts count only if the filter is changed by way of them. Throws a `memory` error.
 */
export function createPayload(shape: Shape, threadCount: number, limit?: number, kind: InMemory = {}): Payload {
  const plan = memoryPlanOf(shape, bytesInMemory(shape, kind), threadCount, kind, limit);
  return { shape, drafts: kind.drafts !== undefined, ...createPagedMemory(plan) };
}

/** The same memory for segments of another shape, at most as many as before; the segments begin empty. */
export function emptiedPayload(payload: Payload, shape: Shape): Payload {
  return { ...payload, ...emptied(payload, shape.segments), shape };
}

/**
 * The payload of a filter with other slices at its end. Its memory gets more segments after the present ones, or loses the last ones.
 * Throws a `memory` error.
 */
export function resizePayload(payload: Payload, shape: Shape): Payload {
  return { ...payload, ...resized(payload, memoryPlanOf(shape, payload.pieceBytes, payload.scratches.length)), shape };
}

function memoryPlanOf(
  shape: Shape,
  pieceBytes: number,
  threadCount: number,
  kind: InMemory = {},
  limit?: number,
): MemoryPlan {
  if (shape.segments > SEGMENTS_LIMIT) throw tooLarge(shape.segments * pieceBytes);
  const slices = shape.chain === undefined ? 1 : SLICES_LIMIT;
  const scratchBytes = VISIT_BYTES + slices * CALL_BYTES + sliceBytes(shape) + draftScratchBytes(shape, kind.drafts);
  // A segment that is not counted has a tally of zeros.
  const areZeros = kind.tallyBytes !== undefined;
  return { pieces: shape.segments, pieceBytes, threadCount, scratchBytes, areZeros, limit };
}
