import type {
  BitArrayAddress,
  Exports,
  KeyRangesAddress,
  ParametersAddress,
  SliceAddress,
} from '../../dist/kernel.d.ts';
import { BloomError } from '../errors.ts';
import { kernelBytes } from './kernel-file.ts';

export type { BitArrayAddress, KeyRangesAddress, ParametersAddress, SliceAddress };

/** An instance of the kernel with its memory. Addresses are numbers below 2^32. */
export interface Kernel {
  /** The exports of src/kernel/assembly/index.ts. */
  readonly exports: Exports;
  /** Shared, so that instances in other threads can use it. */
  readonly memory: WebAssembly.Memory;
  /**
   * Reserves zeroed memory, aligned to 64 bytes, until its release or for the life of the kernel. Throws a `memory`
   * error.
   */
  reserve(bytes: number): number;
  /** The same, but the memory has any content. So memory that an earlier owner never wrote still takes no space. */
  reserveAny(bytes: number): number;
  /** Releases the memory at an address and all memory that was reserved later. */
  release(address: number): void;
  /** The number of releases. A caller that keeps an address must discard it when this number has changed. */
  releases(): number;
  /** The bytes at an address. */
  bytes(address: number, length: number): Uint8Array;
}

const PAGE = 65_536;
const ALIGNMENT = 64;

/** Bytes by which the memory grows beyond the need. Untouched memory costs nothing. */
const STRIDE = 64 * 2 ** 20;

/** The reach of 32-bit addresses. */
export const MEMORY_LIMIT = 2 ** 32;

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
export function loadKernel(existing?: WebAssembly.Memory): Kernel {
  const memory = existing ?? newMemory();
  const instance = new WebAssembly.Instance(kernelCode(), { env: { memory } });
  const entries = instance.exports as unknown as Exports;
  let end = entries.heapBase() >>> 0;
  /** The beginning of the memory that was never reserved. */
  let untouched = end;
  let releases = 0;
  const reserveAny = (bytes: number): number => {
    const start = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
    growTo(memory, start + bytes);
    end = start + bytes;
    untouched = Math.max(untouched, end);
    return start;
  };
  return {
    exports: entries,
    memory,
    reserve(bytes) {
      const before = untouched;
      const start = reserveAny(bytes);
      if (start < before) entries.clear(start, Math.min(end, before) - start);
      return start;
    },
    reserveAny,
    release(address) {
      end = address;
      releases++;
    },
    releases: () => releases,
    bytes: (address, length) => new Uint8Array(memory.buffer, address, length),
  };
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
 * A kernel on a memory of its own. A kernel that was given back is preferred: the one whose memory fits so many bytes best. An instance
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

/** Grows a memory to at least `bytes` bytes. New bytes are zero. Throws a `memory` error. */
export function growTo(memory: WebAssembly.Memory, bytes: number): void {
  if (bytes <= memory.buffer.byteLength) return;
  try {
    if (bytes > MEMORY_LIMIT) throw new RangeError();
    memory.grow(Math.ceil((Math.min(bytes + STRIDE, MEMORY_LIMIT) - memory.buffer.byteLength) / PAGE));
  } catch {
    throw new BloomError(
      'memory',
      `${Math.ceil(bytes / 2 ** 20)} MiB of memory are needed, but the system does not provide them`,
      'use a smaller filter or shorter records',
    );
  }
}

/** V8 reserves addresses for 10 GiB whatever the maximum. So its code needs no bounds checks. */
function newMemory(): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: 1, maximum: MEMORY_LIMIT / PAGE, shared: true });
  } catch {
    throw new BloomError(
      'memory',
      'WebAssembly cannot reserve 10 GiB of address space',
      'raise the limit, for example with ulimit -v unlimited',
    );
  }
}

/** The value of a global with an address or a count. */
export function unsigned(global: WebAssembly.Global): number {
  return global.value >>> 0;
}
