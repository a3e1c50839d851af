import type { Kernel } from '../../kernel/kernel.ts';

/** Digests in kernel memory, u64 each, and their owners. */
export interface Digests {
  readonly address: number;
  readonly count: number;
  /** Address of one u32 owner per digest; 0 if the owners are `firstOwner`, `firstOwner` + 1 and so on. */
  readonly owners: number;
  readonly firstOwner: number;
}

/** Digests of keys as a scanner hands them over. An owner is the index of a record in its batch. */
export interface ScannedDigests extends Digests {
  /** Records of the batches before. A batch ends wherever the scanner's memory is full. */
  readonly recordsBefore: number;
}

/** Answers for digests by some rules, before the records that they serve are answered. */
export interface AnswerDigests {
  /** Hands over the address of one byte per digest, which is 1 if any filter may have the digest. At most `VISIT_LIMIT` digests. */
  hits(digests: Digests, to: (address: number) => void): void;
  /** A number that changes whenever other filters give the answers. Undefined if these filters cannot. */
  version(): number | undefined;
}

/** The record of each digest, by its number among all records that were scanned. */
export function recordNumbers({ memory }: Kernel, digests: ScannedDigests): number[] {
  const { count, owners, firstOwner, recordsBefore } = digests;
  const known = new Uint32Array(memory.buffer, owners, owners === 0 ? 0 : count);
  return Array.from({ length: count }, (_, i) => recordsBefore + (known[i] ?? firstOwner + i));
}

/** The largest number of digests that are handed over at once: few enough to stay in the cache. */
export const VISIT_LIMIT = 2 ** 14;

/** Bytes of a thread's scratch for a visit: its digests and their hits. */
export const VISIT_BYTES = 9 * VISIT_LIMIT;

export const NO_DIGESTS: Digests = { address: 0, count: 0, owners: 0, firstOwner: 0 };

/** The first digests. */
export function firstOf(digests: Digests, count: number): Digests {
  return { ...digests, count };
}

/** The digests without the first ones. */
export function restOf({ address, count, owners, firstOwner }: Digests, from: number): Digests {
  return {
    address: address + 8 * from,
    count: count - from,
    owners: owners && owners + 4 * from,
    firstOwner: owners === 0 ? firstOwner + from : 0,
  };
}
