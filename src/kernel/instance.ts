import type {
  BitArrayAddress,
  Exports,
  KeyRangesAddress,
  ParametersAddress,
  SliceAddress,
} from '../../dist/kernel.d.ts';
import { BloomError } from '../bloom-error.ts';

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

export const PAGE = 65_536;
const ALIGNMENT = 64;

/** Bytes by which the memory grows beyond the need. Untouched memory costs nothing. */
export const STRIDE = 64 * 2 ** 20;

/** The reach of 32-bit addresses. */
export const MEMORY_LIMIT = 2 ** 32;

/** A kernel on a memory, whose parts have no owner yet. The memory grows by `stride` bytes more than is needed. */
export function kernelOn(memory: WebAssembly.Memory, code: WebAssembly.Module, stride = STRIDE): Kernel {
  const instance = new WebAssembly.Instance(code, { env: { memory } });
  const entries = instance.exports as unknown as Exports;
  let end = entries.heapBase() >>> 0;
  /** The beginning of the memory that was never reserved. */
  let untouched = end;
  let releases = 0;
  const reserveAny = (bytes: number): number => {
    const start = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
    growTo(memory, start + bytes, stride);
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

/** Grows a memory to at least `bytes` bytes. New bytes are zero. Throws a `memory` error. */
export function growTo(memory: WebAssembly.Memory, bytes: number, stride = STRIDE): void {
  if (bytes <= memory.buffer.byteLength) return;
  try {
    if (bytes > MEMORY_LIMIT) throw new RangeError();
    memory.grow(Math.ceil((Math.min(bytes + stride, MEMORY_LIMIT) - memory.buffer.byteLength) / PAGE));
  } catch {
    throw new BloomError(
      'memory',
      `${Math.ceil(bytes / 2 ** 20)} MiB of memory are needed, but the system does not provide them`,
      'use a smaller filter or shorter records',
    );
  }
}

/** The value of a global with an address or a count. */
export function unsigned(global: WebAssembly.Global): number {
  return global.value >>> 0;
}
