import type { Kernel } from '../../kernel/kernel.ts';

/** Digests in kernel memory, u64 each, and whose they are. */
export interface Digests {
  readonly address: number;
  readonly count: number;
  /** Address of the u32 owner of each; 0 if the owners are `firstOwner`, `firstOwner` + 1 and so on. */
  readonly owners: number;
  readonly firstOwner: number;
}

/** Digests of keys as a scanner hands them over: an owner is the number of a record in its batch, which begins with 0. */
export interface ScannedDigests extends Digests {
  /** Records of the batches before: a batch ends wherever the scanner needs room. */
  readonly recordsBefore: number;
}

/** The record of each digest, by its number among all records that the scanner scanned. */
export function recordNumbers({ memory }: Kernel, digests: ScannedDigests): number[] {
  const { count, owners, firstOwner, recordsBefore } = digests;
  const known = new Uint32Array(memory.buffer, owners, owners === 0 ? 0 : count);
  return Array.from({ length: count }, (_, i) => recordsBefore + (known[i] ?? firstOwner + i));
}

/** Most digests that are handed over at once: few enough to stay in the cache. */
export const VISIT_LIMIT = 2 ** 14;

/** Bytes of a thread's scratch for a visit: its digests and their hits. */
export const VISIT_BYTES = 9 * VISIT_LIMIT;

export const NO_DIGESTS: Digests = { address: 0, count: 0, owners: 0, firstOwner: 0 };

/** The first digests of some. */
export function firstOf(digests: Digests, count: number): Digests {
  return { ...digests, count };
}

/** Digests but for the first ones. */
export function restOf({ address, count, owners, firstOwner }: Digests, from: number): Digests {
  return {
    address: address + 8 * from,
    count: count - from,
    owners: owners && owners + 4 * from,
    firstOwner: owners === 0 ? firstOwner + from : 0,
  };
}
