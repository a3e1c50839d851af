import { goLog } from '../logarithm.ts';
import { STEPS } from '../steps.ts';
import { allocated, type SystemSizing } from './system.ts';

const HEADER_BYTES = 48;

/**
 * `Initialize` of DCSO's bloom.go. Its ceiling rounds a negative number:
 *
 * m = |ceil(n ln p / (ln 2)^2)|, k = ceil(m ln 2 / n)
 */
export const DCSO_SIZING: SystemSizing = {
  name: 'dcso',
  system: 'DCSO bloom',
  accepts: ['items', 'fpr'],
  plan({ items, fpr }) {
    if (items === undefined || fpr === undefined) return undefined;
    const ln2 = goLog(2);
    const bits = Math.abs(Math.ceil((items * goLog(fpr)) / (ln2 * ln2)));
    const k = Math.ceil((ln2 * bits) / items);
    return allocated(this.system, {
      items,
      fpr,
      bits,
      k,
      fileBytes: HEADER_BYTES + 8 * Math.ceil(bits / 64),
      steps: STEPS.dcso,
    });
  },
};
