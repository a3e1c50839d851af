// Numbers that stand in files, but for the ids of kinds and of hashes, which stand in their descriptors. They are
// append-only: a number never changes its meaning and is never used again.

export const FORMAT_VERSION = 1;

/** Flags: bits of one field. */
export const FLAGS = { ignoreCase: 1, trim: 2, part: 4, note: 8 } as const;
