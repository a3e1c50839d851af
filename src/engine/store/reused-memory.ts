import type { Kernel } from '../../kernel/kernel.ts';

/** A kernel whose reserved memory is used again. */
export interface ReusedMemory {
  readonly kernel: Kernel;
  /** All that was reserved may be given away again: nobody needs it any more. */
  release(): void;
}

/** The same kernel, which gives away what was released, cleared, to who reserves as many bytes. */
export function reusedMemory(kernel: Kernel): ReusedMemory {
  const free = new Map<number, number[]>();
  let taken: { readonly address: number; readonly bytes: number }[] = [];
  return {
    kernel: {
      ...kernel,
      reserve(bytes) {
        const known = free.get(bytes)?.pop();
        if (known !== undefined) kernel.exports.clear(known, bytes);
        const address = known ?? kernel.reserve(bytes);
        taken.push({ address, bytes });
        return address;
      },
    },
    release() {
      for (const { address, bytes } of taken) free.set(bytes, [...(free.get(bytes) ?? []), address]);
      taken = [];
    },
  };
}
