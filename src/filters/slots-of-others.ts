// Kinds of filters of other systems that keep fingerprints in slots: they are only asked, and reported on.

import type { Estimate } from '../sizing/cardinality.ts';
import { slotsEach } from '../sizing/fuse.ts';
import { greatestThat } from '../sizing/search.ts';
import { cuckoo, type Slots } from './cuckoo.ts';
import { fuse } from './fuse.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';

/** Fingerprints that there are of a byte: 0 is none. */
const CUCKOO_VALUES = 255;

const takenIn = (fill: readonly Slots[]) => sum(fill.map(({ taken }) => taken));

/**
 * The cuckoo filter of RedisBloom, a chain of arrays of slots of a byte: of each array `links` has the bits, and as k the slots of
 * a bucket.
 */
export const cuckooChain: FilterKind<Slots> = {
  ...cuckoo,
  abilities: [],
  details: () => [],
  fillRatio: (fill, { bits }) => takenIn(fill) / (bits / 8),
  // A stranger meets the slots of two buckets in each array.
  rateFromFill: (fill, { links = [] }) =>
    1 -
    links.reduce((missed, { bits, k }, i) => {
      const load = (fill[i]?.taken ?? 0) / (bits / 8);
      return missed * (1 - load / CUCKOO_VALUES) ** (2 * k);
    }, 1),
  // There is a fingerprint for each time that a key was added.
  itemsFromFill: (fill) => ({ count: takenIn(fill), error: Math.sqrt(takenIn(fill)) }),
};

/** The image of a binary fuse filter: one array, whose k is the bits of a slot. What is in slots of no key nobody knows. */
export const fuseImage: typeof fuse = {
  ...fuse,
  fillRatio: (_, shape) => fuseKeys(shape).count / slotsOf(shape),
  rateFromFill: (_, { k }) => 2 ** -k,
  itemsFromFill: (_, shape) => fuseKeys(shape),
};

const slotsOf = ({ bits, k }: Shape) => bits / k;

/** Slots are made in whole segments, so that somewhat fewer keys have as many. */
const SEGMENT_SHARE = 0.05;

/** The keys for which such a filter is made. */
function fuseKeys(shape: Shape): Estimate {
  const slots = slotsOf(shape);
  const count = greatestThat((items) => slotsEach(items) * items <= slots);
  return { count, error: SEGMENT_SHARE * count };
}
