import { STEPS, type Steps } from '../steps.ts';
import { inWords, requestedBits, roundedProbes } from './java.ts';
import { allocated, type SystemSizing } from './system.ts';

/**
 * `BloomFilter.create` of Spark's sketches, with a rate or with bits: whole words of 64, and
 *
 * m = trunc(-n ln p / (ln 2)^2), k = max(1, round(m / n ln 2))
 */
function sparkSizing(name: string, headerBytes: number, steps: Steps): SystemSizing {
  return {
    name,
    system: 'Spark',
    accepts: ['items', 'fpr', 'bits'],
    plan({ items, fpr, bits: stated }) {
      if (items === undefined) return undefined;
      const requested = stated ?? (fpr === undefined ? undefined : requestedBits(items, fpr));
      if (requested === undefined) return undefined;
      const bits = inWords(requested);
      const k = roundedProbes(items, requested);
      return allocated(this.system, { items, fpr, bits, k, fileBytes: headerBytes + bits / 8, steps });
    },
  };
}

export const SPARK_SIZING = sparkSizing('spark', 16, STEPS['spark-2']);
export const SPARK_1_SIZING = sparkSizing('spark-1', 12, STEPS['spark-1']);
export const SPARK_2_SIZING = sparkSizing('spark-2', 16, STEPS['spark-2']);
