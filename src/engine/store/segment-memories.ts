import type { FilterKind, SegmentWork, SliceWork } from '../../filters/kind.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import { sliceBytes } from '../../filters/slices.ts';
import { firstsOf, SLICES_LIMIT, slicesOf } from '../../sizing/chain.ts';
import { VISIT_BYTES, VISIT_LIMIT } from '../input/digests.ts';
import { kernelsOf, type Place, placeIn } from './paged-memory.ts';
import type { Payload } from './payload.ts';

/** A segment, the work on it, and the thread's scratch in the same memory. */
export interface SegmentPlace extends Place {
  readonly work: SegmentWork;
  /** Space for the digests of a visit, and for their hits: one byte per digest. */
  readonly digests: { readonly address: number; readonly bytes: Uint8Array; readonly first: BigUint64Array };
  readonly hits: { readonly address: number; readonly bytes: Uint8Array };
  /** Address of the scratch for drafts. */
  readonly draftScratch: number;
}

/** The slices in a memory, the work on them, and the thread's scratch there. */
export interface SlicesPlace extends Pick<SegmentPlace, 'kernel' | 'digests' | 'hits'> {
  readonly work: SliceWork;
}

/** The memories of the segments of a filter. */
export interface SegmentMemories {
  placeOf(segment: number): SegmentPlace;
  /** The slices in the memory of a segment; only kinds that grow have slices. */
  slicesBeside(segment: number): SlicesPlace;
}

/** The memories of a payload, as one thread sees them. */
export function openSegmentMemories(payload: Payload, kind: FilterKind, threadIndex: number): SegmentMemories {
  const { shape, piecesEach, base, pieceBytes } = payload;
  const scratch = payload.scratches[threadIndex] ?? 0;
  const hitsAt = scratch + 8 * VISIT_LIMIT;
  const slices = slicesOf(shape);
  const calls = scratch + VISIT_BYTES;
  const sliceCalls = calls + (shape.chain === undefined ? 1 : SLICES_LIMIT) * CALL_BYTES;
  const draftScratch = sliceCalls + sliceBytes(shape);
  const firsts = firstsOf(slices);
  const kernels = kernelsOf(payload);
  const memories = kernels.map((kernel, index) => {
    const addresses = firsts.map((first) => (base + (first - index * piecesEach) * pieceBytes) >>> 0);
    const beside = {
      kernel,
      digests: {
        address: scratch,
        bytes: kernel.bytes(scratch, 8 * VISIT_LIMIT),
        first: new BigUint64Array(kernel.memory.buffer, scratch, 1),
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
      const memory = memories[Math.floor(segment / piecesEach)];
      const work = memory?.works[firsts.findLastIndex((first) => first <= segment)];
      if (memory === undefined || work === undefined) throw new Error(`there is no segment ${segment}`);
      const { digests, hits } = memory;
      return { ...placeIn(payload, kernels, segment), work, digests, hits, draftScratch };
    },
    slicesBeside(segment) {
      const slices = memories[Math.floor(segment / piecesEach)]?.slices;
      if (slices === undefined) throw new Error(`a ${kind.name} filter has no slices`);
      return slices;
    },
  };
}
