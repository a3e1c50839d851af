// Kinds of filters of other systems that keep fingerprints in slots: they are only asked, and reported on.

import type { Estimate } from '../sizing/cardinality.ts';
import { slotsEach } from '../sizing/fuse.ts';
import { greatestThat } from '../sizing/search.ts';
import { cuckoo, type Slots } from './cuckoo.ts';
import { fuse } from './fuse.ts';
import { type Shape, type Structure, sum } from './kind.ts';

/** Fingerprints that there are of a byte: 0 is none. */
const CUCKOO_VALUES = 255;

const takenIn = (fill: readonly Slots[]) => sum(fill.map(({ taken }) => taken));

/**
 * The cuckoo filter of RedisBloom, a chain of arrays of slots of a byte: of each array `links` has the bits, and as k the slots of
 * a bucket.
 *
 * The second bucket of a key is the first XOR a multiple of its fingerprint, both modulo a power of 2. So keys of a fingerprint share
 * either both buckets or none: there are half as many places for it as buckets, or as many where it is itself a multiple of that
 * power, which makes both buckets the same. A stranger is found if a key has its fingerprint and its place.
 */
const { name, places, refuses, itemsToPlan } = cuckoo;

export const cuckooChain: Structure<Slots> = {
  ...{ name, places, refuses, itemsToPlan },
  abilities: [],
  details: () => [],
  fillRatio: (fill, { bits }) => takenIn(fill) / (bits / 8),
  rateFromFill(fill, { links = [] }) {
    const missedBy = (fingerprint: number) =>
      links.reduce((missed, { bits, k }, i) => {
        const buckets = bits / 8 / k;
        const places = fingerprint % buckets === 0 ? buckets : buckets / 2;
        return missed * Math.exp((fill[i]?.taken ?? 0) * Math.log1p(-1 / (CUCKOO_VALUES * places)));
      }, 1);
    return 1 - sum(Array.from({ length: CUCKOO_VALUES }, (_, i) => missedBy(i + 1))) / CUCKOO_VALUES;
  },
  // There is a fingerprint for each time that a key was added.
  itemsFromFill: (fill) => ({ count: takenIn(fill), error: Math.sqrt(takenIn(fill)) }),
};

/** The image of a binary fuse filter: one array, whose k is the bits of a slot. What is in slots of no key nobody knows. */
export const fuseImage: Structure<{ readonly keys: number }> = {
  ...{ name: fuse.name, places: fuse.places, refuses: fuse.refuses, itemsToPlan: fuse.itemsToPlan },
  abilities: [],
  details: () => [],
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
