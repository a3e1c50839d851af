import { readFileSync } from 'node:fs';
import { BloomError } from '../errors.ts';

/** A function of the kernel that takes and returns 32-bit numbers. */
export type Entry = (...args: number[]) => number;

/** What src/kernel/assembly/index.ts exports, but for the entries of the kinds. */
interface Exports {
  readonly keyCount: WebAssembly.Global;
  readonly recordCount: WebAssembly.Global;
  readonly recordStart: WebAssembly.Global;
  readonly searchFrom: WebAssembly.Global;
  readonly linesEnd: WebAssembly.Global;
  readonly escapedTo: WebAssembly.Global;
  readonly fullSegment: WebAssembly.Global;
  heapBase(): number;
  configureRecords(
    terminator: number,
    selection: number,
    field: number,
    separator: number,
    separatorLength: number,
  ): void;
  configureBatch(spans: number, owners: number, keys: number, ends: number, records: number): void;
  scan(to: number): number;
  seek(start: number, search: number): void;
  clearKeys(): void;
  clearRecords(): void;
  trimKeys(spans: number, count: number): void;
  foldKeys(spans: number, count: number, to: number): void;
  distribute(
    digests: number,
    owners: number,
    firstOwner: number,
    from: number,
    count: number,
    segments: number,
    fills: number,
    buckets: number,
    bucketOwners: number,
    capacity: number,
  ): number;
  collectHits(hits: number, owners: number, count: number, matches: number): void;
  countMatches(matches: number, count: number): number;
  configureLines(wanted: number, tag: number, prefix: number, prefixLength: number, numbered: number): void;
  writeLead(out: number, match: number, number: bigint): number;
  writeLines(
    start: number,
    ends: number,
    matches: number,
    from: number,
    count: number,
    firstNumber: bigint,
    out: number,
    limit: number,
  ): number;
  configureObjects(wanted: number, texts: number, tailLength: number, dropsReturn: number): void;
  writeEscaped(out: number, from: number, to: number, limit: number): number;
  writeBase64(out: number, from: number, to: number): number;
  hyperLogLogAdd(registers: number, digests: number, count: number): void;
  distinctTableBytes(): number;
  noteDistinct(table: number, digests: number, count: number): number;
  mergeDistinct(table: number, other: number): number;
  popcount(from: number, length: number): bigint;
  clear(from: number, length: number): void;
  orInto(into: number, from: number, length: number): void;
  warm(from: number, length: number): number;
  xxh64(from: number, length: number, seed: bigint): bigint;
}

/** An instance of the kernel at work on a memory. Addresses are numbers below 2^32. */
export interface Kernel {
  readonly exports: Exports;
  /** Shared, so that other threads can have an instance at work on it. */
  readonly memory: WebAssembly.Memory;
  /** An entry by name, for the kinds of filters. */
  entry(name: string): Entry;
  /** Reserves zeroed memory, aligned to 64 bytes, for the life of the kernel. Throws a `memory` error. */
  reserve(bytes: number): number;
  /** The bytes at an address. */
  bytes(address: number, length: number): Uint8Array;
}

const PAGE = 65_536;
const ALIGNMENT = 64;

/** The memory grows by this much more than is needed, in bytes: memory that is not touched costs nothing. */
const STRIDE = 64 * 2 ** 20;

/** All that 32-bit addresses reach. */
export const MEMORY_LIMIT = 2 ** 32;

const KERNEL_FILE = new URL('../../dist/kernel.wasm', import.meta.url);

let compiled: WebAssembly.Module | undefined;

/** The kernel's code: what one thread has compiled, others take over as it is. */
export function kernelCode(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(KERNEL_FILE));
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
  const run = instance.exports as unknown as Exports;
  let end = run.heapBase() >>> 0;

  const growTo = (limit: number) => {
    if (limit <= memory.buffer.byteLength) return;
    try {
      if (limit > MEMORY_LIMIT) throw new RangeError();
      memory.grow(Math.ceil((Math.min(limit + STRIDE, MEMORY_LIMIT) - memory.buffer.byteLength) / PAGE));
    } catch {
      throw new BloomError(
        'memory',
        `${Math.ceil(limit / 2 ** 20)} MiB of memory are needed, and are not to be had`,
        'use a smaller filter or shorter records',
      );
    }
  };
  return {
    exports: run,
    memory,
    entry(name) {
      const found = instance.exports[name];
      if (typeof found !== 'function') throw new Error(`the kernel has no entry ${name}`);
      return (...args) => found(...args) >>> 0;
    },
    reserve(bytes) {
      const start = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
      growTo(start + bytes);
      end = start + bytes;
      return start;
    },
    bytes: (address, length) => new Uint8Array(memory.buffer, address, length),
  };
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
