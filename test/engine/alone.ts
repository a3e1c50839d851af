// The engine with the main thread alone, and filters in memory with known bits.

import type { Segments } from '../../src/engine/store/segments.ts';
import { createFilter, openSegments, type SharedSegments } from '../../src/engine/store/shared-segments.ts';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { bloom } from '../../src/filters/bloom.ts';
import type { FilterKind, Shape } from '../../src/filters/kind.ts';
import { type Kernel, loadKernel } from '../../src/kernel/kernel.ts';
import { usedKernel } from '../kernel/kernels.ts';

export function alone(kernel: Kernel = loadKernel()) {
  return { context: { kernel, threadIndex: 0 }, pool: createWorkerPool(1) };
}

/** For readable inputs. */
export const strict = {
  onUnreadable(error: Error) {
    throw error;
  },
};

/** A filter in memory, with these bits or empty, for a number of threads; its memories may have a limit. */
export function filterOf(
  shape: Shape,
  payload?: Uint8Array,
  threadCount = 1,
  limit?: number,
  kind: FilterKind = bloom,
): SharedSegments {
  const filter = createFilter(kind, shape, threadCount, limit);
  if (payload !== undefined) {
    const segments = openSegments(filter, usedKernel(), 0);
    const bytes = shape.segmentBits / 8;
    for (let i = 0; i < shape.segments; i++) {
      const { kernel, address } = segments.find(i);
      kernel.bytes(address, bytes).set(payload.subarray(i * bytes, (i + 1) * bytes));
    }
  }
  return filter;
}

/** A copy of the bits of a filter. */
export function bitsOf(segments: Segments, { segments: count, segmentBits }: Shape): Uint8Array {
  const bytes = segmentBits / 8;
  const payload = new Uint8Array(count * bytes);
  for (let i = 0; i < count; i++) {
    const { kernel, address } = segments.find(i);
    payload.set(kernel.bytes(address, bytes), i * bytes);
  }
  return payload;
}
