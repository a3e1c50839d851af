import type { Format } from '../format.ts';

/**
 * The image of a binary fuse filter in memory, as xor_singleheader and its bindings write it, little-endian: u64
 * seed, u32 slots per segment, u32 segments, u32 slots of all segments, u32 slots, then the slots of 8 or 16 bits.
 * Nothing in a file marks the format, so the user must state it. The program that builds the filter decides what a
 * key is: in pyxorfilter, XXH64 of a text, or a number.
 */
export const binaryFuse: Format = {
  name: 'binary-fuse',
  system: 'binary fuse images',
  purpose: 'programs with xor_singleheader, such as pyxorfilter',
  abilities: ['query', 'report'],
  keyTypes: {
    text: {},
    uint64: { encoding: 'uint64le', hash: 'number' },
    int64: { encoding: 'int64le', hash: 'number' },
  },
  integrity: undefined,
  limits: ['bloom cannot detect such a file: state --format'],
  open: async (source) => (await import('./file.ts')).open(source, binaryFuse),
};
