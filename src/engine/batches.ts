import type { Shape } from '../filters/kind.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { segmentBytes } from '../sizing/geometry.ts';

/** Takes `count` digests at an address, and the u32 owner of each at another (0: not wanted). */
export type Visit = (digests: number, owners: number, count: number) => void;

/** Visits a batch of digests in an order that suits the cache. */
export interface Batches {
  visit(digests: number, owners: number, count: number, visit: Visit): void;
}

/** Memory that batches are sorted into. */
export interface BatchMemory {
  /** Address of as many u64 as a batch may have. */
  readonly digests: number;
  /** Address of as many u32, where owners are wanted; else 0. */
  readonly owners: number;
}

const SMALLEST = 2 ** 17;
const LARGEST = 2 ** 21;
const KEYS_PER_SEGMENT = 2 ** 13;

/** How many keys a batch should have, so that many fall into each segment; at most 16 MiB of digests. */
export function batchKeys(shape: Shape): number {
  const wanted = 2 ** Math.ceil(Math.log2(shape.segments * KEYS_PER_SEGMENT));
  return Math.min(Math.max(wanted, SMALLEST), LARGEST);
}

/** With fewer keys a segment than this, sorting costs more than it saves. */
const SORTING_THRESHOLD = 16;

/** With more probes a cache line than this, reading the segment in order first is cheaper than missing at random. */
const WARMING_THRESHOLD = 0.5;
const LINE_BYTES = 64;

/**
 * Prepares to visit batches of digests of a filter whose payload is at `address`. Batches that are worth it are sorted
 * by segment, and each segment is brought into the cache before its keys are. Keys without owners get their numbers
 * in the batch as such.
 */
export function createBatches(kernel: Kernel, shape: Shape, address: number, memory: BatchMemory): Batches {
  const { run } = kernel;
  const bytes = segmentBytes(shape);
  const cursors = kernel.reserve(4 * shape.segments);
  return {
    visit(digests, owners, count, visit) {
      if (shape.segments === 1 || count < shape.segments * SORTING_THRESHOLD) {
        visit(digests, owners, count);
        return;
      }
      run.sortBySegment(digests, owners, count, shape.segments, cursors, memory.digests, memory.owners);
      const warm = count * shape.hashes > WARMING_THRESHOLD * shape.segments * (bytes / LINE_BYTES);
      const segmentEnds = new Uint32Array(run.memory.buffer, cursors, shape.segments);
      let start = 0;
      for (const [i, end] of segmentEnds.entries()) {
        if (warm) run.warm(address + i * bytes, bytes);
        visit(memory.digests + 8 * start, memory.owners === 0 ? 0 : memory.owners + 4 * start, end - start);
        start = end;
      }
    },
  };
}
