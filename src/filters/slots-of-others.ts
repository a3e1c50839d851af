// Filters of other systems that keep fingerprints in slots. They can only be queried and reported on.

import type { Estimate } from '../sizing/cardinality.ts';
import { slotsEach } from '../sizing/fuse.ts';
import { greatestThat } from '../sizing/search.ts';
import { cuckoo, type Slots } from './cuckoo.ts';
import { fuse } from './fuse.ts';
import { type Shape, type Structure, sum } from './kind.ts';

/** The number of fingerprints in one byte: 0 means an empty slot. */
const CUCKOO_VALUES = 255;

const usedIn = (fill: readonly Slots[]) => sum(fill.map(({ used }) => used));

/**
 * The cuckoo filter of RedisBloom, a chain of arrays of one-byte slots. `links` has the bits of each array, and as k the slots per bucket.
 *
 * The second bucket of a key is the first XOR a multiple of its fingerprint, both modulo a power of 2. So keys with the same fingerprint
 * share both buckets or none. A fingerprint has half as many positions as there are buckets. If it is a multiple of that power itself, both
 * buckets are the same, and it has as many positions as buckets. A non-member is a false positive if a member has the same fingerprint and
 * position.
 */
const { name, units, refuses, itemsToPlan } = cuckoo;

export const cuckooChain: Structure<Slots> = {
  ...{ name, units, refuses, itemsToPlan },
  abilities: [],
  details: () => [],
  fillRatio: (fill, { bits }) => usedIn(fill) / (bits / 8),
  rateFromFill(fill, { links = [] }) {
    const missedBy = (fingerprint: number) =>
      links.reduce((missed, { bits, k }, i) => {
        const buckets = bits / 8 / k;
        const positions = fingerprint % buckets === 0 ? buckets : buckets / 2;
        return missed * Math.exp((fill[i]?.used ?? 0) * Math.log1p(-1 / (CUCKOO_VALUES * positions)));
      }, 1);
    return 1 - sum(Array.from({ length: CUCKOO_VALUES }, (_, i) => missedBy(i + 1))) / CUCKOO_VALUES;
  },
  // A key that was added several times has as many fingerprints.
  itemsFromFill: (fill) => ({ count: usedIn(fill), error: Math.sqrt(usedIn(fill)) }),
};

/** The image of a binary fuse filter: one array, whose k is the bits of a slot. Slots without a key have unknown content. */
export const fuseImage: Structure<{ readonly keys: number }> = {
  ...{ name: fuse.name, units: fuse.units, refuses: fuse.refuses, itemsToPlan: fuse.itemsToPlan },
  abilities: [],
  details: () => [],
  fillRatio: (_, shape) => fuseKeys(shape).count / slotsOf(shape),
  rateFromFill: (_, { k }) => 2 ** -k,
  itemsFromFill: (_, shape) => fuseKeys(shape),
};

const slotsOf = ({ bits, k }: Shape) => bits / k;

/** The number of slots is rounded up to whole segments, so somewhat fewer keys have the same number of slots. */
const SEGMENT_SHARE = 0.05;

/** The number of keys for which such a filter is made. */
function fuseKeys(shape: Shape): Estimate {
  const slots = slotsOf(shape);
  const count = greatestThat((items) => slotsEach(items) * items <= slots);
  return { count, error: SEGMENT_SHARE * count };
}
