import { GUAVA_33_4_SIZING, GUAVA_MITZ32_SIZING, GUAVA_SIZING } from '../../sizing/systems/guava.ts';
import type { SystemSizing } from '../../sizing/systems/system.ts';
import type { Making } from '../array-blueprint.ts';
import type { Format } from '../format.ts';
import { SERIAL_FORM } from '../java/signatures.ts';
import { BYTES } from '../key-types.ts';
import { fieldsOf, HEADER_BYTES, MITZ_32, MITZ_64, type Strategy } from './head.ts';

/**
 * The output of `writeTo` of a Guava BloomFilter, big-endian: i8 strategy, u8 k, i32 words, the words of 8 bytes. A
 * funnel makes bytes of keys, usually UTF-8 of strings. The file does not name the funnel, but a Java-serialized
 * filter does.
 */
export const guava: Format = {
  name: 'guava',
  system: 'Guava',
  purpose: 'Java programs with Guava',
  signatures: [SERIAL_FORM],
  fits(head, size) {
    const { strategy, k, words } = fieldsOf(head);
    if (strategy === undefined) return false;
    return size === undefined ? k > 0 && words > 0 : words >= 0 && k + words > 0 && size === HEADER_BYTES + 8 * words;
  },
  promises: (head) => HEADER_BYTES + 8 * fieldsOf(head).words,
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: {
    ...BYTES,
    utf16: { encoding: 'utf16le' },
    int8: { encoding: 'int8' },
    int16: { encoding: 'int16le' },
    int32: { encoding: 'int32le' },
    int64: { encoding: 'int64le' },
    float: { encoding: 'float32le' },
    double: { encoding: 'float64le' },
    boolean: { encoding: 'boolean' },
  },
  integrity: undefined,
  open: async (source) => (await import('./file.ts')).open(source, guava),
  makings: [
    making(GUAVA_SIZING, MITZ_64, 'files for Guava, sized as in releases up to 33.3'),
    making(GUAVA_33_4_SIZING, MITZ_64, 'files for Guava, sized as in release 33.4 and newer'),
    making(GUAVA_MITZ32_SIZING, MITZ_32, 'files for Guava before release 13, by its older strategy'),
  ],
};

/** Filters of a strategy. */
function making(sizing: SystemSizing, strategy: Strategy, purpose: string): Making {
  return {
    name: sizing.name,
    purpose,
    sizing,
    blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, { format: guava, sizing, strategy }),
  };
}
