import { STEPS } from '../steps.ts';
import { allocated, type SystemSizing } from './system.ts';

/** Bits of the smallest filter. */
const LEAST_BITS = 64;

/**
 * The filter of a number of keys in a table of LevelDB, in whole bytes: k = 0.69 times the bits per key, from 1 to 30.
 */
export const LEVELDB_SIZING: SystemSizing = {
  name: 'leveldb',
  system: 'LevelDB',
  accepts: ['items', 'bitsPerKey'],
  plan({ items, bitsPerKey }) {
    if (items === undefined || bitsPerKey === undefined) return undefined;
    const whole = Math.trunc(bitsPerKey);
    const bytes = Math.ceil(Math.max(LEAST_BITS, items * whole) / 8);
    const k = Math.min(30, Math.max(1, Math.trunc(whole * 0.69)));
    return allocated(this.system, { items, bits: 8 * bytes, k, fileBytes: bytes + 1, steps: STEPS.leveldb });
  },
};
