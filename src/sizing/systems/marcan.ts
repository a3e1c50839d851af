import { BloomError } from '../../errors.ts';
import { log } from '../logarithm.ts';
import { allocated, type SystemSizing } from './system.ts';

/** The bits begin and end at multiples of this number of bytes. */
const ALIGN = 16_384;

/** The number of hash functions if none is stated. */
const DEFAULT_K = 11;

/** The kernel cannot divide by larger numbers. */
const BITS_LIMIT = 2 ** 40;

/**
 * bloom.py gets m and k from its caller, and refers to a calculator: m = ceil(-n ln p / (ln 2)^2), k = round(m / n ln
 * 2). Its files consist of whole pages.
 */
export const MARCAN_SIZING: SystemSizing = {
  name: 'marcan',
  system: "marcan's bloom.py",
  accepts: ['items', 'fpr', 'bits', 'k'],
  plan({ items, fpr, bits, k }) {
    if (items === undefined || (fpr === undefined && bits === undefined)) return undefined;
    if (fpr !== undefined && bits !== undefined)
      throw new BloomError('usage', `${this.system} needs either -m, or -n and -p`, 'leave out one of them');
    const m = bits ?? Math.ceil((-items * log(fpr ?? 1)) / (Math.LN2 * Math.LN2));
    if (m > BITS_LIMIT)
      throw new BloomError(
        'usage',
        `a filter of ${this.system} has at most ${BITS_LIMIT} bits here`,
        'state a higher -p',
      );
    const best = bits === undefined ? Math.round((m / items) * Math.LN2) : DEFAULT_K;
    const fileBytes = ALIGN + marcanBytes(m);
    return allocated(this.system, { items, fpr, bits: m, k: k ?? best, fileBytes });
  },
};

/** Bytes of the bits in a file. */
export function marcanBytes(bits: number): number {
  return ALIGN * Math.ceil(bits / 8 / ALIGN);
}
