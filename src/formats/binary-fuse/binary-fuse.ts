import type { Format } from '../format.ts';
import { HEADER_BYTES } from './head.ts';

/**
 * The image of a binary fuse filter in memory, as xor_singleheader and what is made of it write it, little-endian: u64 seed, u32
 * slots of a segment, u32 segments, u32 slots of these, u32 slots, and these, of 8 or 16 bits. Nothing in it says so, so that it
 * is told by nobody. A key is what its program makes of it: as pyxorfilter does, XXH64 of its text, or a number.
 */
export const binaryFuse: Format = {
  name: 'binary-fuse',
  system: 'binary fuse images',
  purpose: 'programs with xor_singleheader, such as pyxorfilter',
  abilities: ['ask', 'report'],
  keyTypes: {
    text: {},
    uint64: { encoding: 'uint64le', hash: 'number' },
    int64: { encoding: 'int64le', hash: 'number' },
  },
  integrity: undefined,
  limits: ['nothing in a file says that it is one: state it'],
  fileBytes: ({ bits }) => HEADER_BYTES[0] + bits / 8,
  open: async (source) => (await import('./file.ts')).open(source, binaryFuse),
};
