import { log } from '../logarithm.ts';
import { STEPS } from '../steps.ts';
import { allocated, type SystemSizing } from './system.ts';

/**
 * The filter of a column per row group of ORC. A row group has as many rows as its index states, 10,000 by default, for
 * any number of rows in total:
 *
 * b = trunc(-n ln p / (ln 2)^2), m = b + 64 - b mod 64, k = max(1, round(m / n ln 2))
 */
export const ORC_SIZING: SystemSizing = {
  name: 'orc',
  system: 'ORC',
  accepts: ['items', 'fpr'],
  plan({ items, fpr }) {
    if (items === undefined || fpr === undefined) return undefined;
    const needed = Math.trunc((-items * log(fpr)) / (Math.LN2 * Math.LN2));
    const bits = needed + 64 - (needed % 64);
    const k = Math.max(1, Math.round((bits / items) * Math.LN2));
    return allocated(this.system, { items, fpr, bits, k, fileBytes: bits / 8, steps: STEPS['spark-1'] });
  },
};
