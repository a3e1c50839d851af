import { BLOOM } from './bloom.ts';
import type { Arithmetic } from './solve.ts';

/** Bits of a counter. One in 10^15 counters overflows with the best k (Fan et al. 2000, section V). */
export const COUNTER_BITS = 4;

/** The arithmetic of counting Bloom filters: a Bloom filter with a counter in place of each bit. */
export const COUNTING: Arithmetic = {
  ...BLOOM,
  bits: (items, fpr, k) => COUNTER_BITS * BLOOM.bits(items, fpr, k),
  items: (bits, fpr, k) => BLOOM.items(Math.floor(bits / COUNTER_BITS), fpr, k),
  kForLoad: (items, bits) => BLOOM.kForLoad(items, bits / COUNTER_BITS),
  rate: (items, bits, k) => BLOOM.rate(items, Math.max(1, Math.floor(bits / COUNTER_BITS)), k),
};
