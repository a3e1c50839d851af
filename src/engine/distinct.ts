import type { Kernel } from '../kernel/kernel.ts';
import { type Estimate, estimateFromSketch, SKETCH_REGISTERS } from '../sizing/cardinality.ts';
import type { Digests } from './segment-visits.ts';

/** Counts the distinct keys among digests. */
export interface DistinctCounter {
  note(digests: Digests): void;
  /** The exact number, as long as there are not too many. */
  exact(): number | undefined;
}

/** Counts exactly up to some 130 thousand keys, in 2 MiB. */
export function createDistinctCounter(kernel: Kernel): DistinctCounter {
  const { run } = kernel;
  const bytes = run.distinctTableBytes();
  const table = kernel.reserve(bytes);
  let fits = true;
  return {
    note({ address, count }) {
      if (fits) fits = run.noteDistinct(table, address, count) !== 0;
    },
    exact: () => (fits ? new Uint32Array(run.memory.buffer, table + bytes - 8, 1)[0] : undefined),
  };
}

/** Estimates the number of distinct keys, however many there are, in 64 KiB. */
export interface Sketch {
  note(digests: Digests): void;
  estimate(): Estimate;
}

export function createSketch(kernel: Kernel): Sketch {
  const registers = kernel.reserve(SKETCH_REGISTERS);
  return {
    note: ({ address, count }) => kernel.run.hyperLogLogAdd(registers, address, count),
    estimate: () => estimateFromSketch(kernel.bytes(registers, SKETCH_REGISTERS)),
  };
}
