import { log } from '../logarithm.ts';
import { steppedRate } from '../stepped.ts';
import { STEPS } from '../steps.ts';
import { allocated, type SystemSizing } from './system.ts';

/** Bytes of a bucket, and of the parts before the cache and between the cache and the buckets. */
export const BUCKET_BYTES = 4096;
export const BUCKET_BITS = 8 * BUCKET_BYTES;
const HEADER_BYTES = 56;

/** The `OptLevel`s of poppy, in the order of their numbers. */
export const OPTIMISATIONS = ['none', 'space', 'speed', 'best'] as const;
export type Optimisation = (typeof OPTIMISATIONS)[number];

/** The sizes that poppy allocates. */
export interface PoppySize {
  readonly buckets: number;
  readonly k: number;
  /** A power of two; 0 without a cache. */
  readonly cacheBits: number;
}

const powerOfTwo = (least: number) => 2 ** Math.ceil(Math.log2(least));

/**
 * `make` of poppy's v2.rs. Each bucket has the capacity that keeps the rate, and the cache precedes the buckets.
 */
export function poppySize(items: number, fpr: number, optimisation: Optimisation): PoppySize {
  const ln2 = Math.LN2;
  const capacity = Math.trunc(Math.abs((BUCKET_BITS * (ln2 * ln2)) / log(fpr)));
  const buckets = Math.ceil(items / capacity);
  if (optimisation === 'none' || optimisation === 'space')
    return { buckets, k: Math.ceil((ln2 * BUCKET_BITS) / capacity), cacheBits: 0 };
  const cacheBits = powerOfTwo(items);
  const k = Math.ceil(ln2 * cacheRate(items, cacheBits) * Math.round(BUCKET_BITS / capacity));
  return { buckets: optimisation === 'speed' ? powerOfTwo(buckets) : buckets, k, cacheBits };
}

/** poppy's `estimate_p`: the rate as if the keys had the best number of hash functions for them. */
function cacheRate(items: number, bits: number): number {
  const k = Math.ceil((Math.LN2 * bits) / items);
  return (1 - Math.exp((-k * items) / bits)) ** k;
}

/** Bytes of the cache. */
export const cacheBytes = ({ cacheBits }: PoppySize) => Math.ceil(cacheBits / 8);

export function poppySizing(name: string, optimisation: Optimisation): SystemSizing {
  return {
    name,
    system: 'poppy',
    accepts: ['items', 'fpr'],
    plan({ items, fpr }) {
      if (items === undefined || fpr === undefined) return undefined;
      const size = poppySize(items, fpr, optimisation);
      const { buckets, k } = size;
      const bytes = cacheBytes(size) + buckets * BUCKET_BYTES;
      const bits = 8 * bytes;
      const rateWith = (keys: number) => rateOf(keys, size);
      return allocated(this.system, { items, fpr, bits, k, fileBytes: HEADER_BYTES + bytes, parts: buckets, rateWith });
    },
  };
}

/** A non-member must find a one in the cache too. The bit of a key there can be any bit of the cache. */
function rateOf(items: number, size: PoppySize): number {
  const { buckets, k } = size;
  const bits = 8 * cacheBytes(size);
  const passes = bits === 0 ? 1 : -Math.expm1(items * Math.log1p(-1 / bits));
  return Math.min(1, passes * steppedRate(items / buckets, BUCKET_BITS, k, STEPS.poppy));
}
