import type { KeyRules } from '../../formats/description.ts';
import { HASHES } from '../../hashes/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Estimate, estimateFromSketch, SKETCH_REGISTERS } from '../../sizing/cardinality.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { digestBytesOf } from '../input/hashing.ts';

/** Counts the distinct keys among digests. */
export interface DistinctCounter {
  /** Returns false once there are too many to count. */
  note(digests: Pick<Digests, 'address' | 'count'>): boolean;
  /** The table of the digests; undefined if there were too many. */
  table(): Uint8Array | undefined;
  /** The slots of the table, also if there were too many digests: all earlier digests and some of the last ones, or 0. */
  slots(): { readonly address: number; readonly count: number };
}

/** The slots of the first table, which is enough for few keys, and of the second one. */
const FEW_SLOTS = 2 ** 12;
const MANY_SLOTS = 2 ** 18;

/** Bytes of a table: the slots, and the number of digests. */
const tableBytes = (slots: number) => 8 * slots + 8;
const slotsOf = ({ length }: Uint8Array) => (length - 8) / 8;

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

/** Counts exactly up to 2^17 keys. Up to 2^11 keys take 32 KiB, as it takes longer to clear 2 MiB than to count few keys. */
export function createDistinctCounter(kernel: Kernel): DistinctCounter {
  const { exports: entries } = kernel;
  const few = { address: kernel.reserve(tableBytes(FEW_SLOTS)), count: FEW_SLOTS };
  const many = { address: kernel.reserveAny(tableBytes(MANY_SLOTS)), count: MANY_SLOTS };
  let slots = few;
  let fits = true;
  const isNoted = ({ address, count }: Pick<Digests, 'address' | 'count'>) =>
    entries.noteDistinct(slots.address, slots.count, address, count) !== 0;
  const enlarge = () => {
    entries.clear(many.address, tableBytes(MANY_SLOTS));
    entries.mergeDistinct(many.address, many.count, few.address, few.count);
    slots = many;
  };
  return {
    note(digests) {
      if (!fits || isNoted(digests)) return fits;
      if (slots === few) {
        enlarge();
        fits = isNoted(digests);
      } else fits = false;
      return fits;
    },
    table: () => (fits ? kernel.bytes(slots.address, tableBytes(slots.count)) : undefined),
    slots: () => slots,
  };
}

/** The exact number of distinct digests in the tables of several threads; undefined if there are too many. */
export function countTogether(kernel: Kernel, tables: readonly (Uint8Array | undefined)[]): number | undefined {
  const [first, ...others] = tables;
  if (first === undefined) return undefined;
  if (others.length === 0) return countIn(first);
  const bytes = tableBytes(MANY_SLOTS);
  const [union, other] = [kernel.reserve(bytes), kernel.reserveAny(bytes)];
  for (const table of tables) {
    if (table === undefined) return undefined;
    kernel.bytes(other, table.length).set(table);
    if (kernel.exports.mergeDistinct(union, MANY_SLOTS, other, slotsOf(table)) === 0) return undefined;
  }
  return countIn(kernel.bytes(union, bytes));
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
