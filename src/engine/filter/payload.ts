import { freemem } from 'node:os';
import { BloomError } from '../../errors.ts';
import { bytesInMemory, draftScratchBytes, type InMemory } from '../../filters/drafts.ts';
import type { Shape } from '../../filters/kind.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import { sliceBytes } from '../../filters/slices.ts';
import { bytes } from '../../quantities.ts';
import { SLICES_LIMIT } from '../../sizing/chain.ts';
import { SEGMENTS_LIMIT } from '../../sizing/geometry.ts';
import { wholeSegments } from '../../sizing/share.ts';
import { createMemories, type Room, resizeMemories, tooLarge } from './memories.ts';
import { VISIT_BYTES } from './segment-memories.ts';

/**
 * Where the segments of a filter lie: in one memory, or, as addresses have 32 bits, divided among several. Threads hand
 * it to each other as a message.
 */
export interface Payload {
  readonly shape: Shape;
  /** The segments are being made or changed, as drafts. */
  readonly drafts: boolean;
  readonly memories: readonly WebAssembly.Memory[];
  /** Bytes from one segment, or draft, to the next; there may be a tally between them. */
  readonly stride: number;
  /** Segments of each memory; the last may have fewer. */
  readonly segmentsEach: number;
  /** Address of the first segment of each memory. */
  readonly base: number;
  /**
   * Address, in each memory, of every thread's scratch: room for the digests of a visit, for their hits, and for work on
   * drafts.
   */
  readonly scratches: readonly number[];
  /** One `STATE` a segment. */
  readonly states: Int32Array;
}

/** Of a segment: nothing was brought to it yet; somebody works on it alone; it is there; its draft is there. */
export const STATE = { missing: 0, taken: 1, there: 2, draft: 3 } as const;
export type State = (typeof STATE)[keyof typeof STATE];

const MEMORY_HINT = 'use a higher rate or several filters of fewer keys; query -e works without this memory';

/**
 * Throws a `memory` error for a filter that is larger than the memory that is free, with its drafts if it is to be
 * changed: work on all of its segments would end with the process being killed.
 */
export function requireMemory(shape: Shape, kind: InMemory = {}, hint = () => MEMORY_HINT): void {
  const what = shape.share === undefined ? 'the filter takes' : 'the part of the filter takes';
  requireBytes(shape.segments * bytesInMemory(shape, kind), what, hint);
}

/** The same for filters that are asked together. */
export function requireMemoryTogether(shapes: readonly Shape[]): void {
  for (const shape of shapes) requireMemory(shape);
  const needed = shapes.reduce((sum, shape) => sum + shape.segments * bytesInMemory(shape, {}), 0);
  requireBytes(needed, `the ${shapes.length} filters take`, () => 'ask fewer of them at once');
}

function requireBytes(needed: number, what: string, hint: () => string): void {
  const free = freeMemory();
  if (needed <= free) return;
  throw new BloomError('memory', `${what} ${bytes(needed)} of memory, and ${bytes(free)} are free`, hint());
}

/** The same for one that is built of its keys, and that can be built in parts. */
export function requireMemoryToBuild(shape: Shape, kind: InMemory): void {
  requireMemory(shape, kind, () => {
    const parts = leastParts(wholeSegments(shape), bytesInMemory(shape, kind));
    if (parts === undefined || shape.chain !== undefined) return MEMORY_HINT;
    return `divide it into ${parts} parts or more: --passes ${parts} reads files so often, --part K/${parts} makes one of them`;
  });
}

/** The fewest parts of which the free memory holds each; undefined if it does not even hold a segment. */
function leastParts(segments: number, bytesEach: number): number | undefined {
  const most = Math.floor(freeMemory() / bytesEach);
  return most === 0 ? undefined : Math.ceil(segments / most);
}

/** Bytes of memory that are free, or could be. 0 is what cannot be told: so little no running process finds. */
function freeMemory(): number {
  return (process.availableMemory?.() ?? freemem()) || Number.POSITIVE_INFINITY;
}

/**
 * Reserves the room for a filter that so many threads work on, in memories up to a limit; with what its kind has besides
 * its segments, drafts only if it is to be changed by way of them. Throws a `memory` error.
 */
export function createPayload(shape: Shape, threadCount: number, limit?: number, kind: InMemory = {}): Payload {
  const stride = bytesInMemory(shape, kind);
  const { piecesEach: segmentsEach, ...memories } = createMemories(roomFor(shape, stride, threadCount, kind, limit));
  return { shape, drafts: kind.drafts !== undefined, ...memories, stride, segmentsEach, states: statesOf(shape) };
}

/** The same memory for segments of another shape, of which there are no more; they begin empty. */
export function emptiedPayload(payload: Payload, shape: Shape): Payload {
  return { ...payload, shape, states: statesOf(shape) };
}

/**
 * The payload of a filter of slices with other slices at its end: its memory has room for more segments behind those that
 * there are, or for fewer. Throws a `memory` error.
 */
export function resizePayload(payload: Payload, shape: Shape): Payload {
  const { stride, scratches, states, segmentsEach: before, ...rest } = payload;
  const room = roomFor(shape, stride, scratches.length);
  const { piecesEach: segmentsEach, ...memories } = resizeMemories({ ...rest, scratches, piecesEach: before }, room);
  return { ...rest, ...memories, shape, stride, segmentsEach, states: statesOf(shape, states) };
}

function roomFor(shape: Shape, stride: number, threadCount: number, kind: InMemory = {}, limit?: number): Room {
  if (shape.segments > SEGMENTS_LIMIT) throw tooLarge(shape.segments * stride);
  const slices = shape.chain === undefined ? 1 : SLICES_LIMIT;
  const scratchBytes = VISIT_BYTES + slices * CALL_BYTES + sliceBytes(shape) + draftScratchBytes(shape, kind.drafts);
  return { pieces: shape.segments, pieceBytes: stride, threadCount, scratchBytes, limit };
}

/** The states of segments, which all threads see; as many as can be have those that they had. */
function statesOf({ segments }: Shape, before: Int32Array = new Int32Array()): Int32Array {
  const states = new Int32Array(new SharedArrayBuffer(4 * segments));
  states.set(before.subarray(0, segments));
  return states;
}
