import { type Kernel, loadKernel } from '../../src/kernel/kernel.ts';

/** Memory of a kernel is never given back, and V8 collects garbage for each new one: between the two lies this. */
const USES = 20;

let kernel: Kernel | undefined;
let uses = 0;

/** A kernel for something small. Others may have used it: what they left behind must make no difference. */
export function usedKernel(): Kernel {
  if (kernel === undefined || uses++ % USES === 0) kernel = loadKernel();
  return kernel;
}
