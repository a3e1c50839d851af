// Numbers that stand in files, but for the ids of kinds, which stand in their descriptors. They are append-only: a
// number never changes its meaning and is never used again.

export const FORMAT_VERSION = 1;

/** What this format is called beside others. */
export const FORMAT_NAME = 'bloomery';

export const HASH_IDS = { xxh64: 1, xxh3: 2, murmur3: 3 } as const;
export type HashName = keyof typeof HASH_IDS;

/** Normalisation flags: bits of one field. */
export const FLAGS = { ignoreCase: 1, trim: 2 } as const;

/** Names of the hashes, in the order of their ids. */
export const HASH_NAMES: readonly [HashName, ...HashName[]] = ['xxh64', 'xxh3', 'murmur3'];

/** The hash that has this id, if any has. */
export function hashOf(id: number): HashName | undefined {
  return HASH_NAMES.find((name) => HASH_IDS[name] === id);
}
