import type { FilterKind, SegmentWork, SliceWork } from '../../filters/kind.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import { sliceBytes } from '../../filters/slices.ts';
import { type Kernel, loadKernel } from '../../kernel/kernel.ts';
import { firstsOf, SLICES_LIMIT, slicesOf } from '../../sizing/chain.ts';
import { VISIT_LIMIT } from '../input/digests.ts';
import type { Payload } from './payload.ts';

/** Bytes of the first part of a thread's scratch: for the digests of a visit, and for their hits. */
export const VISIT_BYTES = 9 * VISIT_LIMIT;

/** A segment and the kernel in whose memory it is. */
export interface Place {
  readonly kernel: Kernel;
  readonly address: number;
}

/** A segment, what can be done with it, and the thread's scratch in the same memory. */
export interface SegmentPlace extends Place {
  readonly work: SegmentWork;
  /** Room for the digests of a visit, and for their hits, a byte each. */
  readonly digests: { readonly address: number; readonly bytes: Uint8Array; readonly first: BigUint64Array };
  readonly hits: { readonly address: number; readonly bytes: Uint8Array };
  /** Address of room for work on drafts. */
  readonly draftScratch: number;
}

/** The slices in a memory, what can be done with them, and the thread's scratch there. */
export interface SlicesPlace extends Pick<SegmentPlace, 'kernel' | 'digests' | 'hits'> {
  readonly work: SliceWork;
}

/** Where the segments of a filter are. */
export interface SegmentMemories {
  placeOf(segment: number): SegmentPlace;
  /** The slices in the memory of a segment; only kinds that grow have them. */
  slicesBeside(segment: number): SlicesPlace;
}

/** The memories of a payload, as a thread sees them. */
export function openSegmentMemories(payload: Payload, kind: FilterKind, threadIndex: number): SegmentMemories {
  const { shape, segmentsEach, base, stride } = payload;
  const scratch = payload.scratches[threadIndex] ?? 0;
  const hitsAt = scratch + 8 * VISIT_LIMIT;
  const slices = slicesOf(shape);
  const calls = scratch + VISIT_BYTES;
  const sliceCalls = calls + (shape.chain === undefined ? 1 : SLICES_LIMIT) * CALL_BYTES;
  const draftScratch = sliceCalls + sliceBytes(shape);
  const firsts = firstsOf(slices);
  const memories = payload.memories.map((memory, index) => {
    const kernel = loadKernel(memory);
    const addresses = firsts.map((first) => (base + (first - index * segmentsEach) * stride) >>> 0);
    const beside = {
      kernel,
      digests: {
        address: scratch,
        bytes: kernel.bytes(scratch, 8 * VISIT_LIMIT),
        first: new BigUint64Array(memory.buffer, scratch, 1),
      },
      hits: { address: hitsAt, bytes: kernel.bytes(hitsAt, VISIT_LIMIT) },
    };
    const work = kind.growing?.attach(kernel, shape, addresses, sliceCalls);
    return {
      ...beside,
      works: slices.map(({ k }, i) =>
        kind.attach(kernel, { ...shape, k }, { call: calls + i * CALL_BYTES, drafts: draftScratch }),
      ),
      slices: work && { ...beside, work },
    };
  });
  return {
    placeOf(segment) {
      const memory = memories[Math.floor(segment / segmentsEach)];
      const work = memory?.works[firsts.findLastIndex((first) => first <= segment)];
      if (memory === undefined || work === undefined) throw new Error(`there is no segment ${segment}`);
      const { kernel, digests, hits } = memory;
      return { kernel, address: base + (segment % segmentsEach) * stride, work, digests, hits, draftScratch };
    },
    slicesBeside(segment) {
      const slices = memories[Math.floor(segment / segmentsEach)]?.slices;
      if (slices === undefined) throw new Error(`a ${kind.name} filter has no slices`);
      return slices;
    },
  };
}
