import { log } from '../logarithm.ts';
import { STEPS, type Steps } from '../steps.ts';
import { inWords, requestedBits, roundedProbes } from './java.ts';
import { allocated, type SystemSizing } from './system.ts';

const HEADER_BYTES = 6;

/**
 * `BloomFilter.create` of Guava: whole words of 64 bits. k follows from the bits. From release 33.4.0 on k follows from
 * the rate, with the same result except for a few keys: k = max(1, round(-ln p / ln 2)).
 */
function guavaSizing(
  name: string,
  probes: (items: number, fpr: number, bits: number) => number,
  steps: Steps = STEPS['guava-64'],
): SystemSizing {
  return {
    name,
    system: 'Guava',
    accepts: ['items', 'fpr'],
    plan({ items, fpr }) {
      if (items === undefined || fpr === undefined) return undefined;
      const requested = requestedBits(items, fpr);
      const bits = inWords(requested);
      const k = probes(items, fpr, requested);
      return allocated(this.system, { items, fpr, bits, k, fileBytes: HEADER_BYTES + bits / 8, steps });
    },
  };
}

const byBits = (items: number, _: number, bits: number) => roundedProbes(items, bits);
const byRate = (_: number, fpr: number) => Math.max(1, Math.round(-log(fpr) / Math.LN2));

export const GUAVA_SIZING = guavaSizing('guava', byBits);
export const GUAVA_33_4_SIZING = guavaSizing('guava-33.4', byRate);
export const GUAVA_MITZ32_SIZING = guavaSizing('guava-mitz32', byBits, STEPS['guava-32']);
