import type { KeyRules } from '../../formats/description.ts';
import { HASHES } from '../../hashes/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Estimate, estimateFromSketch, SKETCH_REGISTERS } from '../../sizing/cardinality.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { digestBytesOf } from '../input/hashing.ts';

/** Counts the distinct keys among digests. */
export interface DistinctCounter {
  note(digests: Digests): void;
  /** The table of the digests; undefined if there were too many. */
  table(): Uint8Array | undefined;
}

/** Returns a function that maps digests by some rules to one even word each, as the counters below need them. */
export function createIdentities(kernel: Kernel, rules: KeyRules): (digests: Digests) => Digests {
  if (HASHES.some(({ name }) => name === rules.hash)) return (digests) => digests;
  const words = digestBytesOf(rules) / 8;
  const address = kernel.reserve(8 * VISIT_LIMIT);
  return (digests) => {
    kernel.exports.identify(digests.address, words, digests.count, address);
    return { ...digests, address };
  };
}

/** Counts exactly up to about 130 thousand keys, in 2 MiB. */
export function createDistinctCounter(kernel: Kernel): DistinctCounter {
  const { exports: entries } = kernel;
  const bytes = entries.distinctTableBytes();
  const address = kernel.reserve(bytes);
  let fits = true;
  return {
    note({ address: digests, count }) {
      if (fits) fits = entries.noteDistinct(address, digests, count) !== 0;
    },
    table: () => (fits ? kernel.bytes(address, bytes) : undefined),
  };
}

/** The exact number of distinct digests in the tables of several threads; undefined if there are too many. */
export function countTogether(kernel: Kernel, tables: readonly (Uint8Array | undefined)[]): number | undefined {
  const [first, ...others] = tables;
  if (first === undefined) return undefined;
  if (others.length === 0) return countIn(first);
  const [union, other] = [kernel.reserve(first.length), kernel.reserve(first.length)];
  kernel.bytes(union, first.length).set(first);
  for (const table of others) {
    if (table === undefined) return undefined;
    kernel.bytes(other, table.length).set(table);
    if (kernel.exports.mergeDistinct(union, other) === 0) return undefined;
  }
  return countIn(kernel.bytes(union, first.length));
}

/** The coupons of the numbers in a table: their lower halves. */
export function couponsIn({ buffer, byteOffset, length }: Uint8Array): Uint32Array {
  const halves = new Uint32Array(buffer, byteOffset, (length - 8) / 4);
  return halves.filter((half, i) => i % 2 === 0 && half !== 0);
}

/** The number at the end of a table. */
function countIn({ buffer, byteOffset, length }: Uint8Array): number | undefined {
  return new Uint32Array(buffer, byteOffset + length - 8, 1)[0];
}

/** Estimates the number of distinct keys, however many there are, in 64 KiB. */
export interface KeySketch {
  note(digests: Digests): void;
  registers(): Uint8Array;
}

/** An empty sketch in the memory of a kernel. */
export function createSketch(kernel: Kernel): KeySketch {
  const address = kernel.reserve(SKETCH_REGISTERS);
  return {
    note: ({ address: digests, count }) => kernel.exports.hyperLogLogAdd(address, digests, count),
    registers: () => kernel.bytes(address, SKETCH_REGISTERS),
  };
}

/** The estimate from the sketches of several threads. Each register of the union is the maximum over all sketches. */
export function estimateTogether(sketches: readonly Uint8Array[]): Estimate {
  const union = new Uint8Array(SKETCH_REGISTERS);
  for (const registers of sketches) {
    for (const [i, rank] of registers.entries()) if (rank > (union[i] ?? 0)) union[i] = rank;
  }
  return estimateFromSketch(union);
}
