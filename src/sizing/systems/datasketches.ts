import { log } from '../logarithm.ts';
import { STEPS } from '../steps.ts';
import { allocated, type SystemSizing } from './system.ts';

const HEADER_BYTES = 32;

/**
 * `create_by_accuracy` of the C++ library: m = ceil(-n ln p / (ln 2)^2) in whole words of 64 bits, k = ceil(-ln p / ln
 * 2). In Java k follows from m, and is larger by 1 for some rates and few keys.
 */
export const DATASKETCHES_SIZING: SystemSizing = {
  name: 'datasketches',
  system: 'Apache DataSketches',
  accepts: ['items', 'fpr'],
  plan({ items, fpr }) {
    if (items === undefined || fpr === undefined) return undefined;
    const bits = 64 * Math.ceil((-items * log(fpr)) / (Math.LN2 * Math.LN2) / 64);
    const k = Math.ceil(-log(fpr) / Math.LN2);
    return allocated(this.system, {
      items,
      fpr,
      bits,
      k,
      fileBytes: HEADER_BYTES + bits / 8,
      steps: STEPS.datasketches,
    });
  },
};
