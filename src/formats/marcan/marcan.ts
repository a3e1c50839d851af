import { MARCAN_SIZING } from '../../sizing/systems/marcan.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';

/** The start of the line. Old versions of Python did not keep the order of names. */
const START = /^\{(?:"(?:m|k|offset|size|threshold)": ?\d+, ?){2}"(?:m|k|offset|size|threshold)":/;

/**
 * The output of marcan's bloom.py: a line of JSON with m, k, the offset of the bits, their bytes and a threshold;
 * then NULs up to the offset, and the bits. MD5 of a key gives positions by division. When the rest is below the
 * threshold, MD5 of the MD5 follows. The threshold is 2^16 times m, rounded up to a power of two. Keys are SHA-1 in
 * lower-case hexadecimal.
 */
export const marcan: Format = {
  name: 'marcan',
  system: "marcan's bloom.py",
  purpose: 'lists of leaked passwords',
  fits: (head) => START.test(Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')),
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
  comesCompressed: true,
  open: async (source) => (await import('./file.ts')).open(source, marcan),
  makings: [
    {
      name: 'marcan',
      purpose: "files for marcan's bloom.py; give either -m and -k or -n and -p",
      sizing: MARCAN_SIZING,
      blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, marcan),
    },
  ],
};
