import type { Kernel } from '../kernel/kernel.ts';

/** A block in kernel memory. */
export interface RawBlock {
  readonly kernel: Kernel;
  readonly address: number;
  readonly bytes: Uint8Array;
}
