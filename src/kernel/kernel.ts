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

/** An instance of the kernel at work on a memory. Addresses are numbers below 2^32. */
export interface Kernel {
  /** What src/kernel/assembly/index.ts exports. */
  readonly exports: Exports;
  /** Shared, so that other threads can have an instance at work on it. */
  readonly memory: WebAssembly.Memory;
  /** Reserves zeroed memory, aligned to 64 bytes, until it is released or for the life of the kernel. Throws a `memory` error. */
  reserve(bytes: number): number;
  /** Gives up what was reserved at an address and all that was reserved since. */
  release(address: number): void;
  /** The bytes at an address. */
  bytes(address: number, length: number): Uint8Array;
}

const PAGE = 65_536;
const ALIGNMENT = 64;

/** The memory grows by this much more than is needed, in bytes: memory that is not touched costs nothing. */
const STRIDE = 64 * 2 ** 20;

/** All that 32-bit addresses reach. */
export const MEMORY_LIMIT = 2 ** 32;

let compiled: WebAssembly.Module | undefined;

/** The kernel's code: what one thread has compiled, others take over as it is. */
export function kernelCode(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(kernelBytes());
  return compiled;
}

/** Lets this thread use code that another one has compiled. */
export function adoptKernelCode(code: WebAssembly.Module): void {
  compiled = code;
}

/**
 * Loads a kernel on a new memory of its own, or on one of which every part has its owner: there it must not reserve.
 */
export function loadKernel(existing?: WebAssembly.Memory): Kernel {
  const memory = existing ?? newMemory();
  const instance = new WebAssembly.Instance(kernelCode(), { env: { memory } });
  const entries = instance.exports as unknown as Exports;
  let end = entries.heapBase() >>> 0;
  /** Where memory begins that nobody has had. */
  let untouched = end;

  return {
    exports: entries,
    memory,
    reserve(bytes) {
      const start = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
      growTo(memory, start + bytes);
      end = start + bytes;
      if (start < untouched) entries.clear(start, Math.min(end, untouched) - start);
      untouched = Math.max(untouched, end);
      return start;
    },
    release(address) {
      end = address;
    },
    bytes: (address, length) => new Uint8Array(memory.buffer, address, length),
  };
}

/** Sees to it that a memory has so many bytes; what is new are zeros. Throws a `memory` error. */
export function growTo(memory: WebAssembly.Memory, bytes: number): void {
  if (bytes <= memory.buffer.byteLength) return;
  try {
    if (bytes > MEMORY_LIMIT) throw new RangeError();
    memory.grow(Math.ceil((Math.min(bytes + STRIDE, MEMORY_LIMIT) - memory.buffer.byteLength) / PAGE));
  } catch {
    throw new BloomError(
      'memory',
      `${Math.ceil(bytes / 2 ** 20)} MiB of memory are needed, and are not to be had`,
      'use a smaller filter or shorter records',
    );
  }
}

/** V8 reserves addresses for 10 GiB, whatever the maximum: so it needs no code that looks where an access goes. */
function newMemory(): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: 1, maximum: MEMORY_LIMIT / PAGE, shared: true });
  } catch {
    throw new BloomError(
      'memory',
      'no address space is left for WebAssembly, which reserves 10 GiB at a time',
      'lift its limit, as with ulimit -v unlimited',
    );
  }
}

/** The value of a global that holds an address or a count. */
export function unsigned(global: WebAssembly.Global): number {
  return global.value >>> 0;
}
