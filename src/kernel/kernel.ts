import { BloomError } from '../errors.ts';
import { type Kernel, kernelOn, MEMORY_LIMIT, PAGE, STRIDE } from './instance.ts';
import { kernelBytes } from './kernel-file.ts';

export {
  type BitArrayAddress,
  growTo,
  type Kernel,
  type KeyRangesAddress,
  MEMORY_LIMIT,
  type ParametersAddress,
  type SliceAddress,
  unsigned,
} from './instance.ts';

let compiled: WebAssembly.Module | undefined;

/** The code of the kernel. One thread compiles it, and the others adopt the compiled code. */
export function kernelCode(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(kernelBytes());
  return compiled;
}

/** Makes this thread use code that another thread has compiled. */
export function adoptKernelCode(code: WebAssembly.Module): void {
  compiled = code;
}

/**
 * Loads a kernel on a new memory, or on an existing memory. On an existing memory `reserve` must not be called, because
 * every part has its owner.
 */
export function loadKernel(memory = newMemory()): Kernel {
  return kernelOn(memory, kernelCode());
}

/**
 * Kernels that were given back. They are held weakly: the next filter gets their memory if it comes soon; otherwise garbage collection
 * frees it.
 */
const spares: WeakRef<Kernel>[] = [];

/** Gives a kernel to the next owner. Nothing may use it or its memory any more. */
export function giveBack(kernel: Kernel): void {
  kernel.release(kernel.exports.heapBase() >>> 0);
  spares.push(new WeakRef(kernel));
}

/**
 * A kernel on a memory of its own. A kernel that was given back is preferred: the one whose memory fits this many bytes best. An instance
 * takes longer to make than a small filter to read.
 */
export function takeKernel(bytes = 0): Kernel {
  const known = spares.splice(0).flatMap((spare) => spare.deref() ?? []);
  known.sort((a, b) => sizeOf(a) - sizeOf(b));
  const best = known.find((kernel) => sizeOf(kernel) >= bytes) ?? known.at(-1);
  for (const kernel of known) if (kernel !== best) spares.push(new WeakRef(kernel));
  return best ?? loadKernel();
}

function sizeOf({ memory }: Kernel): number {
  return memory.buffer.byteLength;
}

/**
 * V8 reserves addresses for 10 GiB whatever the maximum. So its code needs no bounds checks. Few filters need more than the initial bytes:
 * V8 takes longer to enlarge a memory the more memories there are.
 */
function newMemory(): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: STRIDE / PAGE, maximum: MEMORY_LIMIT / PAGE, shared: true });
  } catch {
    throw new BloomError(
      'memory',
      'WebAssembly cannot reserve 10 GiB of address space',
      'raise the limit, for example with ulimit -v unlimited',
    );
  }
}
