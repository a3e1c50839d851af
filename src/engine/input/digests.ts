/** Digests in kernel memory, u64 each, and whose they are. */
export interface Digests {
  readonly address: number;
  readonly count: number;
  /** Address of the u32 owner of each; 0 if the owners are `firstOwner`, `firstOwner` + 1 and so on. */
  readonly owners: number;
  readonly firstOwner: number;
}

/** Most digests that are handed over at once: few enough to stay in the cache. */
export const VISIT_LIMIT = 2 ** 14;

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
