import { log } from '../logarithm.ts';
import { sliceHitRate } from '../remainders.ts';
import { allocated, type SystemSizing } from './system.ts';

const HEADER_BYTES = 40;

/** pybloom: one slice per probe, k = ceil(log2(1/p)), each slice of ceil(-n ln p / (k (ln 2)^2)) bits. */
export function pybloomSizing(name: string): SystemSizing {
  return {
    name,
    system: 'pybloom',
    accepts: ['items', 'fpr'],
    plan({ items, fpr }) {
      if (items === undefined || fpr === undefined) return undefined;
      const k = Math.ceil(log(1 / fpr) / Math.LN2);
      const sliceBits = Math.ceil((items * Math.abs(log(fpr))) / (k * (Math.LN2 * Math.LN2)));
      const bits = k * sliceBits;
      const rateWith = (keys: number) => sliceHitRate(keys, sliceBits) ** k;
      const fileBytes = HEADER_BYTES + Math.ceil(bits / 8);
      return allocated(this.system, { items, fpr, bits, k, fileBytes, parts: k, rateWith });
    },
  };
}
