import { log } from '../logarithm.ts';
import { allocated, type SystemSizing } from './system.ts';

/** Bytes before the bits of a filter of Hadoop; Hudi has all of them as base64. */
const HEADER_BYTES = 13;

/** The SIMPLE filter of a base file of Hudi: m = ceil(-n ln p / (ln 2)^2), k = ceil(m / n ln 2). */
export const HUDI_SIZING: SystemSizing = {
  name: 'hudi',
  system: 'Hudi',
  takes: ['items', 'fpr'],
  plan({ items, fpr }) {
    if (items === undefined || fpr === undefined) return undefined;
    const bits = Math.ceil(items * (-log(fpr) / (Math.LN2 * Math.LN2)));
    const k = Math.ceil((Math.LN2 * bits) / items);
    const bytes = HEADER_BYTES + Math.ceil(bits / 8);
    return allocated(this.system, { items, fpr, bits, k, fileBytes: 4 * Math.ceil(bytes / 3) });
  },
};
