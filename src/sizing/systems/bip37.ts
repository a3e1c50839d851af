import { log } from '../logarithm.ts';
import { allocated, type SystemSizing } from './system.ts';

/** The most bytes and hash functions of a filter that a node accepts. */
const MOST_BYTES = 36_000;
const MOST_PROBES = 50;

/** (ln 2)^2, exact to the last digit. */
const LN_2_SQUARED = 0.48045301391820144;

/**
 * `CBloomFilter`: m = trunc(-n ln p / (ln 2)^2) in whole bytes, k = trunc(m / n ln 2). Both are limited to what a node
 * accepts.
 */
export const BIP37_SIZING: SystemSizing = {
  name: 'bip37',
  system: 'BIP37',
  accepts: ['items', 'fpr'],
  plan({ items, fpr }) {
    if (items === undefined || fpr === undefined) return undefined;
    const needed = Math.trunc((-1 / LN_2_SQUARED) * items * log(fpr));
    const bytes = Math.trunc(Math.min(needed, 8 * MOST_BYTES) / 8);
    const k = Math.min(MOST_PROBES, Math.trunc(((8 * bytes) / items) * Math.LN2));
    return allocated(this.system, { items, fpr, bits: 8 * bytes, k, fileBytes: bytes + (bytes < 253 ? 10 : 12) });
  },
};
