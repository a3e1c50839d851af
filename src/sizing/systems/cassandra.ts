import { BloomError } from '../../errors.ts';
import { STEPS } from '../steps.ts';
import { allocated, type SystemSizing } from './system.ts';

const HEADER_BYTES = 8;
const EXCESS = 20;
const LEAST_BUCKETS = 2;

/** Most probes of which its table has the rates, for 2 to 20 bits a key. */
const PROBES = [2, 3, 4, 5, 6, 6, 7, 8, 8, 8, 8, 9, 10, 10, 11, 12, 12, 13, 14] as const;

/** The table of `BloomCalculations`: (1 - e^(-k/b))^k with three digits, or up to 5 bits a key with three decimals. */
function tabulated(buckets: number, k: number): number {
  if (k === 0) return 1;
  const rate = (-Math.expm1(-k / buckets)) ** k;
  return Number(buckets <= 5 ? rate.toFixed(3) : rate.toPrecision(3));
}

/** The least number of probes with the least rate in the table. */
function bestProbes(buckets: number): number {
  const rates = Array.from({ length: PROBES[buckets - LEAST_BUCKETS] ?? 0 }, (_, i) => tabulated(buckets, i + 1));
  return 1 + rates.indexOf(Math.min(...rates));
}

/** `computeBloomSpec`: the fewest bits a key, and then the fewest probes, that come to a rate. Throws a `usage` error for a lower one. */
function specificationFor(fpr: number): { readonly k: number; readonly buckets: number } {
  // Its arguments are in the wrong order there: two probes, of one bit a key.
  if (fpr >= tabulated(LEAST_BUCKETS, 1)) return { k: 2, buckets: 1 };
  const most = LEAST_BUCKETS + PROBES.length - 1;
  const least = tabulated(most, PROBES.at(-1) ?? 0);
  if (fpr < least)
    throw new BloomError('usage', `Cassandra makes no filter of a rate below ${least}, such as ${fpr}`, 'raise -p');
  let buckets = LEAST_BUCKETS;
  while (tabulated(buckets, bestProbes(buckets)) > fpr) buckets++;
  let k = bestProbes(buckets);
  while (tabulated(buckets, k - 1) <= fpr) k--;
  return { k, buckets };
}

/** `Filter.db` of an SSTable of so many partitions, by their `bloom_filter_fp_chance`: whole words of 64 bits. */
export function cassandraSizing(name: string): SystemSizing {
  return {
    name,
    system: 'Cassandra',
    takes: ['items', 'fpr'],
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
