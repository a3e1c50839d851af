import { log } from '../logarithm.ts';
import { allocated, type SystemSizing } from './system.ts';

const HEADER_BYTES = 32;

/** `BloomFilterBuilder.createByAccuracy`: m = round(-n ln p / (ln 2)^2) in whole words of 64 bits, k = ceil(m / n ln 2) of the former. */
export const DATASKETCHES_SIZING: SystemSizing = {
  name: 'datasketches',
  system: 'Apache DataSketches',
  takes: ['items', 'fpr'],
  plan({ items, fpr }) {
    if (items === undefined || fpr === undefined) return undefined;
    const needed = Math.round((-items * log(fpr)) / (Math.LN2 * Math.LN2));
    const bits = 64 * Math.ceil(needed / 64);
    const k = Math.ceil((needed / items) * Math.LN2);
    return allocated(this.system, { items, fpr, bits, k, fileBytes: HEADER_BYTES + bits / 8 });
  },
};
