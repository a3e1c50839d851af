import { type Kernel, loadKernel } from '../../src/kernel/kernel.ts';

/** A kernel never frees memory, but a new kernel makes V8 collect garbage. This number of uses is a compromise. */
const USES = 20;

let kernel: Kernel | undefined;
let uses = 0;

/** A kernel for a small test. Other tests may have used it; their data in memory must make no difference. */
export function usedKernel(): Kernel {
  if (kernel === undefined || uses++ % USES === 0) kernel = loadKernel();
  return kernel;
}
