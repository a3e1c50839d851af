import { goLog } from '../logarithm.ts';
import type { Constraints } from '../solve.ts';
import { STEPS } from '../steps.ts';
import { allocated, type SystemSizing } from './system.ts';

const HEADER_BYTES = 24;

/**
 * `NewWithEstimates` of bits-and-blooms, or `New` with bits and hash functions:
 *
 * m = ceil(-n ln p / (ln 2)^2), k = ceil(m ln 2 / n)
 */
export const BITS_AND_BLOOMS_SIZING: SystemSizing = {
  name: 'bits-and-blooms',
  system: 'bits-and-blooms',
  accepts: ['items', 'fpr', 'bits', 'k'],
  plan(constraints) {
    const { items, fpr } = constraints;
    const size = sizeOf(constraints);
    if (items === undefined || size === undefined) return undefined;
    const fileBytes = HEADER_BYTES + 8 * Math.ceil(size.bits / 64);
    return allocated(this.system, { items, fpr, ...size, fileBytes, steps: STEPS['bits-and-blooms'] });
  },
};

function sizeOf({ items, fpr, bits, k }: Constraints): { readonly bits: number; readonly k: number } | undefined {
  if (bits !== undefined && k !== undefined) return { bits, k };
  if (items === undefined || fpr === undefined || bits !== undefined || k !== undefined) return undefined;
  const ln2 = goLog(2);
  const estimated = Math.ceil((-1 * items * goLog(fpr)) / ln2 ** 2);
  return { bits: estimated, k: Math.ceil((ln2 * estimated) / items) };
}
