import { signatureOf } from '../../io/signature.ts';
import { DATASKETCHES_SIZING } from '../../sizing/systems/datasketches.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';

/** The variant for images in which Java hashed floating-point numbers. */
const JAVA = 'datasketches-java';

const WHOLE_NUMBERS = {
  int8: { encoding: 'int8-in-64le' },
  int16: { encoding: 'int16-in-64le' },
  int32: { encoding: 'int32-in-64le' },
  int64: { encoding: 'int64le' },
  uint8: { encoding: 'uint8-in-64le' },
  uint16: { encoding: 'uint16-in-64le' },
  uint32: { encoding: 'uint32-in-64le' },
  uint64: { encoding: 'uint64le' },
} as const;

/**
 * The image of a Bloom filter of Apache DataSketches, little-endian: the length of its preamble in words of 8 bytes (3
 * or 4), version 1, family 21, flags; u16 k, two NULs; u64 seed; u32 words, four NULs; u64 bits that are set, or -1 if
 * they were not counted; the words. An empty image ends before the number of set bits.
 */
export const datasketches: Format = {
  name: 'datasketches',
  system: 'Apache DataSketches',
  purpose: 'Java and C++ programs with its library',
  signatures: ['\x03\x01\x15', '\x04\x01\x15'].map(signatureOf),
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: {
    ...BYTES,
    ...WHOLE_NUMBERS,
    float: { encoding: 'float32-in-64le-one-zero' },
    double: { encoding: 'float64le-one-zero' },
  },
  integrity: undefined,
  variants: [{ name: JAVA, purpose: 'images made by Java, in which -0 and 0 differ' }],
  open: async (source, _, { format }) =>
    (await import('./file.ts')).open(source, format === JAVA ? ofJava : datasketches),
  makings: [
    {
      name: 'datasketches',
      purpose: 'images for Apache DataSketches',
      sizing: DATASKETCHES_SIZING,
      seeds: [0n, 2n ** 64n - 1n],
      blueprint: async (plan, seed) => (await import('./file.ts')).newBlueprint(plan, seed, datasketches),
    },
  ],
};

/** The same for Java. */
const ofJava: Format = {
  ...datasketches,
  keyTypes: {
    ...BYTES,
    ...WHOLE_NUMBERS,
    float: { encoding: 'float32-in-64le' },
    double: { encoding: 'float64le' },
  },
};
