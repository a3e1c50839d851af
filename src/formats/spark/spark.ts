import { SPARK_1_SIZING, SPARK_2_SIZING, SPARK_SIZING } from '../../sizing/systems/spark.ts';
import type { SystemSizing } from '../../sizing/systems/system.ts';
import type { Making } from '../array-blueprint.ts';
import type { Format } from '../format.ts';
import { objectOf } from '../java/signatures.ts';
import { BYTES } from '../key-types.ts';
import { fieldsOf, HEADER_BYTES, versionOf } from './head.ts';

const OBJECTS = ['BloomFilterImpl', 'BloomFilterImplV2'].map((name) =>
  objectOf(`org.apache.spark.util.sketch.${name}`),
);

/**
 * The output of `writeTo` of Spark's BloomFilter, big-endian: i32 version, k, in version 2 the seed, words, and the
 * words of 8 bytes. Keys are the bytes of binary values, UTF-8 of strings, and a long for whole numbers of any type.
 */
export const spark: Format = {
  name: 'spark',
  system: 'Spark',
  purpose: 'Apache Spark jobs',
  signatures: OBJECTS,
  fits(head, size) {
    const version = versionOf(head);
    if (version === undefined) return false;
    const { k, words } = fieldsOf(head, version);
    return size === undefined ? k > 0 && words > 0 : words >= 0 && size === HEADER_BYTES[version] + 8 * words;
  },
  promises(head) {
    const version = versionOf(head) ?? 1;
    return HEADER_BYTES[version] + 8 * fieldsOf(head, version).words;
  },
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: {
    ...BYTES,
    int8: { encoding: 'int8-in-64le' },
    int16: { encoding: 'int16-in-64le' },
    int32: { encoding: 'int32-in-64le' },
    int64: { encoding: 'int64le' },
  },
  integrity: undefined,
  open: async (source) => (await import('./file.ts')).open(source, spark),
  makings: [
    making(SPARK_SIZING, 2, 'files for Spark 4.1 and newer'),
    making(SPARK_1_SIZING, 1, 'files for any Spark release: version 1'),
    making(SPARK_2_SIZING, 2, 'version 2, the same as spark'),
  ],
};

/** Filters of a version. Only version 2 has a seed. */
function making(sizing: SystemSizing, version: 1 | 2, purpose: string): Making {
  return {
    name: sizing.name,
    purpose,
    sizing,
    ...(version === 1 ? {} : { seeds: [0n, 2n ** 31n - 1n] }),
    blueprint: async (plan, seed) =>
      (await import('./file.ts')).newBlueprint(plan, seed, { format: spark, sizing, version }),
  };
}
