import { freemem } from 'node:os';
import { BloomError } from '../../errors.ts';
import { bytesInMemory, draftScratchBytes } from '../../filters/drafts.ts';
import type { Drafts, FilterKind, Shape } from '../../filters/kind.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import { loadKernel, MEMORY_LIMIT } from '../../kernel/kernel.ts';
import { slicesOf } from '../../sizing/chain.ts';
import { LINE_BITS, payloadBytes, SEGMENTS_LIMIT } from '../../sizing/geometry.ts';
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
  /** Bytes from one segment, or draft, to the next. */
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

/** Bytes of a memory that are not for segments: what the kernel has, and the scratches. */
const overhead = (threadCount: number, scratchBytes: number) => 65_536 + threadCount * (scratchBytes + LINE_BITS / 8);

/** Memories that a process may have: V8 reserves ten thousand million addresses for each. */
const MEMORIES_LIMIT = 256;

/**
 * Throws a `memory` error for a filter that is larger than the memory that is free, with its drafts if it is to be
 * changed: work on all of its segments would end with the process being killed.
 */
export function requireMemory(shape: Shape, kind?: FilterKind): void {
  const needed = shape.segments * bytesInMemory(shape, kind?.drafts);
  const free = process.availableMemory?.() ?? freemem();
  // 0 is what cannot be told: so much no running process finds.
  if (needed <= free || free === 0) return;
  throw new BloomError(
    'memory',
    `the filter takes ${inUnits(needed)} of memory, and ${inUnits(free)} are free`,
    'use a higher rate or several filters of fewer keys; query -e works without this memory',
  );
}

/** "11.9 TB" */
function inUnits(bytes: number): string {
  const [unit, name] = bytes < 1e9 ? [1e6, 'MB'] : bytes < 1e12 ? [1e9, 'GB'] : [1e12, 'TB'];
  return `${(bytes / unit).toFixed(1)} ${name}`;
}

/**
 * Reserves the room for a filter that so many threads work on, in memories up to a limit; with drafts of a kind if it
 * is to be changed by way of them. Throws a `memory` error.
 */
export function createPayload(shape: Shape, threadCount: number, limit = MEMORY_LIMIT, drafts?: Drafts): Payload {
  const stride = bytesInMemory(shape, drafts);
  const scratchBytes = VISIT_BYTES + slicesOf(shape).length * CALL_BYTES + draftScratchBytes(shape, drafts);
  const segmentsEach = Math.min(shape.segments, Math.floor((limit - overhead(threadCount, scratchBytes)) / stride));
  const count = Math.ceil(shape.segments / segmentsEach);
  if (segmentsEach < 1 || count > MEMORIES_LIMIT || shape.segments > SEGMENTS_LIMIT) {
    throw new BloomError(
      'memory',
      `the filter takes ${inUnits(payloadBytes(shape))}, more than this program can hold`,
      'use a higher rate or several filters of fewer keys',
    );
  }
  let layout: Pick<Payload, 'base' | 'scratches'> = { base: 0, scratches: [] };
  const memories = Array.from({ length: count }, (_, i) => {
    const kernel = loadKernel();
    const scratches = Array.from({ length: threadCount }, () => kernel.reserve(scratchBytes));
    layout = { scratches, base: kernel.reserve(Math.min(segmentsEach, shape.segments - i * segmentsEach) * stride) };
    return kernel.memory;
  });
  const states = new Int32Array(new SharedArrayBuffer(4 * shape.segments));
  return { shape, drafts: drafts !== undefined, memories, stride, segmentsEach, ...layout, states };
}
