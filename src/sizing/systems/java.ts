import { log } from '../logarithm.ts';

/** The bits that Guava and Spark request, before they round up to words: trunc(-n ln p / (ln 2)^2). */
export function requestedBits(items: number, fpr: number): number {
  return Math.trunc((-items * log(fpr)) / (Math.LN2 * Math.LN2));
}

/** k = max(1, round(m / n ln 2)), where m is the number of requested bits. */
export function roundedProbes(items: number, bits: number): number {
  return Math.max(1, Math.round((bits / items) * Math.LN2));
}

/** The bits, rounded up to whole words of 64. */
export function inWords(bits: number): number {
  return 64 * Math.ceil(bits / 64);
}
