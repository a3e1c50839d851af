import { createScanner, NO_LIMIT } from '../../src/engine/scanner.ts';
import { bloom } from '../../src/filters/bloom.ts';
import type { Shape } from '../../src/filters/kind.ts';
import type { Header, KeyRules } from '../../src/format/header.ts';
import { memorySource } from '../../src/io/source.ts';
import { type Kernel, loadKernel } from '../../src/kernel/kernel.ts';
import { usedKernel } from '../kernel/kernels.ts';

export const RULES: KeyRules = { hash: 'xxh64', seed: 1n, ignoreCase: false, trim: false };

/** Keys as lines. */
export function linesOf(keys: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.from(keys.map((key) => `${key}\n`).join('')));
}

/** That many keys which no other prefix gives. */
export function keysNamed(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix} ${i}`);
}

/** The digests of lines, by the way that all input takes. */
export async function digestsOf(lines: Uint8Array, rules = RULES): Promise<BigUint64Array> {
  const kernel = loadKernel();
  const parts: Uint8Array[] = [];
  const keep = ({ address, count }: { address: number; count: number }) =>
    void parts.push(kernel.bytes(address, 8 * count).slice());
  const selection = { nullTerminated: false, anyToken: false };
  const options = { selection, rules, recordLimit: NO_LIMIT, keepRecords: false };
  const scanner = createScanner(kernel, options, { keys: keep, lastKeys: keep });
  await scanner.scan(memorySource('lines', lines));
  scanner.settle();
  const bytes = new Uint8Array(Buffer.concat(parts));
  return new BigUint64Array(bytes.buffer, 0, bytes.length / 8);
}

/** A Bloom filter in the memory of a kernel. */
export interface Vessel {
  readonly kernel: Kernel;
  readonly address: number;
  add(digests: BigUint64Array): void;
  /** How many of the digests may be in the filter. */
  count(digests: BigUint64Array): number;
  /** Adds the bits of a payload of the same shape. */
  unite(payload: Uint8Array): void;
  /** A copy of its bits. */
  payload(): Uint8Array;
}

const BATCH = 2 ** 16;

/** Opens an empty filter, or the one at an address of a kernel. */
export function openVessel(shape: Shape, kernel = usedKernel(), at?: number): Vessel {
  const bytes = shape.bits / 8;
  const address = at ?? kernel.reserve(bytes);
  const filter = bloom.attach(kernel, shape, address);
  const scratch = kernel.reserve(8 * BATCH);
  const hits = kernel.reserve(BATCH);
  const inBatches = (digests: BigUint64Array, work: (count: number) => number) => {
    let sum = 0;
    for (let start = 0; start < digests.length; start += BATCH) {
      const batch = digests.subarray(start, start + BATCH);
      new BigUint64Array(kernel.run.memory.buffer, scratch, batch.length).set(batch);
      sum += work(batch.length);
    }
    return sum;
  };
  return {
    kernel,
    address,
    add(digests) {
      inBatches(digests, (count) => {
        filter.add(scratch, count);
        return count;
      });
    },
    count: (digests) =>
      inBatches(digests, (count) => {
        const found = filter.test(scratch, count, hits);
        const answers = kernel.bytes(hits, count).reduce((sum, hit) => sum + hit, 0);
        if (found !== answers) throw new Error(`the filter says ${found}, its answers ${answers}`);
        return answers;
      }),
    unite(payload) {
      const from = kernel.reserve(bytes);
      kernel.bytes(from, bytes).set(payload);
      filter.unite(from);
    },
    payload: () => kernel.bytes(address, bytes).slice(),
  };
}

/** The header of a filter of this shape. */
export function headerOf(shape: Shape, inserted: number, rules = RULES): Header {
  return { ...rules, ...shape, kind: 1, capacity: 4711, targetFpr: 0.01, inserted };
}
