import { BloomError } from '../../errors.ts';
import { STEPS } from '../steps.ts';
import { allocated, type SystemSizing } from './system.ts';

const HEADER_BYTES = 8;
const EXCESS = 20;
const LEAST_BUCKETS = 2;

/** The most bits per key in Cassandra's table of rates, and the most hash functions. Most rows end sooner, but none before its lowest rate. */
const MOST_BUCKETS = 20;
const MOST_PROBES = 14;

/**
 * The table of `BloomCalculations`: (1 - e^(-k/b))^k with three digits, or with three decimals for up to 5 bits per
 * key.
 */
function tabulated(buckets: number, k: number): number {
  if (k === 0) return 1;
  const rate = (-Math.expm1(-k / buckets)) ** k;
  return Number(buckets <= 5 ? rate.toFixed(3) : rate.toPrecision(3));
}

/** The least number of hash functions with the lowest rate in the table. */
function bestProbes(buckets: number): number {
  const rates = Array.from({ length: MOST_PROBES }, (_, i) => tabulated(buckets, i + 1));
  return 1 + rates.indexOf(Math.min(...rates));
}

/**
 * `computeBloomSpec`: the fewest bits per key that reach a rate, and then the fewest hash functions. Throws a `usage`
 * error if the rate is too low.
 */
function specificationFor(fpr: number): { readonly k: number; readonly buckets: number } {
  // Cassandra swaps the arguments here: two hash functions with one bit per key.
  if (fpr >= tabulated(LEAST_BUCKETS, 1)) return { k: 2, buckets: 1 };
  const least = tabulated(MOST_BUCKETS, MOST_PROBES);
  if (fpr < least)
    throw new BloomError(
      'usage',
      `Cassandra makes no filter with a rate below ${least}, such as ${fpr}`,
      'state a higher -p',
    );
  let buckets = LEAST_BUCKETS;
  while (tabulated(buckets, bestProbes(buckets)) > fpr) buckets++;
  let k = bestProbes(buckets);
  while (tabulated(buckets, k - 1) <= fpr) k--;
  return { k, buckets };
}

/** `Filter.db` of an SSTable with a number of partitions, by `bloom_filter_fp_chance`: whole words of 64 bits. */
export function cassandraSizing(name: string): SystemSizing {
  return {
    name,
    system: 'Cassandra',
    accepts: ['items', 'fpr'],
    plan({ items, fpr }) {
      if (items === undefined || fpr === undefined) return undefined;
      const { k, buckets } = specificationFor(fpr);
      const bits = 64 * (Math.floor((items * buckets + EXCESS - 1) / 64) + 1);
      return allocated(this.system, {
        items,
        fpr,
        bits,
        k,
        fileBytes: HEADER_BYTES + bits / 8,
        steps: STEPS.cassandra,
      });
    },
  };
}
