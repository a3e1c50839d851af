import { log } from '../logarithm.ts';
import { allocated, type SystemSizing } from './system.ts';

/** Bytes before the bits. */
const HEADER_BYTES = 13;

/** The SIMPLE filter of a base file of Hudi: m = ceil(-n ln p / (ln 2)^2), k = ceil(m / n ln 2). */
function hudiSizing(name: string, system: string, fileBytes: (bytes: number) => number): SystemSizing {
  return {
    name,
    system,
    accepts: ['items', 'fpr'],
    plan({ items, fpr }) {
      if (items === undefined || fpr === undefined) return undefined;
      const bits = Math.ceil(items * (-log(fpr) / (Math.LN2 * Math.LN2)));
      const k = Math.ceil((Math.LN2 * bits) / items);
      return allocated(system, { items, fpr, bits, k, fileBytes: fileBytes(HEADER_BYTES + Math.ceil(bits / 8)) });
    },
  };
}

/** In base64, as in base files. */
export const HUDI_SIZING = hudiSizing('hudi', 'Hudi', (bytes) => 4 * Math.ceil(bytes / 3));

/** As Hadoop writes the filter. Hadoop leaves the size to its callers. */
export const HADOOP_SIZING = hudiSizing('hadoop', 'Hadoop', (bytes) => bytes);
