import { equalDigestRate } from '../sizing/bloom.ts';
import { estimateFromFill, sumEstimates } from '../sizing/cardinality.ts';
import {
  bucketsOf,
  CUCKOO,
  CUCKOO_FINGERPRINT_LIMIT,
  cuckooRoom,
  cuckooSlots,
  cuckooValues,
} from '../sizing/cuckoo.ts';
import { isSegmented, segmented } from '../sizing/geometry.ts';
import { solve } from '../sizing/solve.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';

/**
 * The fill of a segment is the number of its slots that are taken, and this many times that of the repetitions among
 * them.
 */
const REPEATED_UNIT = 2 ** 32;

/**
 * The cuckoo filter (Fan, Andersen, Kaminsky & Mitzenmacher 2014).
 *
 * Idea: a key leaves a short fingerprint in one of two buckets, and when both are full another makes room by moving to
 * its other bucket. So a key can be taken out, in the space of a Bloom filter.
 * Invariant: every fingerprint that was added is in one of its two buckets, up to three times, until it is removed as
 * often; one that is there three times stays for ever.
 * Limits: it gets full, and then refuses keys; copies of a key take slots; its bytes depend on the order of the keys.
 */
export const cuckoo: FilterKind = {
  id: 4,
  name: 'cuckoo',
  purpose: 'forgets keys, and is hardly larger than bloom',
  places: 'slots',
  refuses: true,
  itemsToPlan: cuckooRoom,
  abilities: ['add', 'remove', 'merge'],
  plan: (constraints) => solve(CUCKOO, constraints),
  geometry: (bits) => segmented(bits),
  isShape: (shape) => shape.k <= CUCKOO_FINGERPRINT_LIMIT && isSegmented(shape),
  attach(kernel, { segmentBits, k }) {
    const buckets = bucketsOf(segmentBits, k);
    const add = kernel.entry('cuckooAdd');
    const test = kernel.entry('cuckooTest');
    const remove = kernel.entry('cuckooRemove');
    const unite = kernel.entry('cuckooUnite');
    const used = kernel.entry('cuckooUsed');
    const repeats = kernel.entry('cuckooRepeats');
    return {
      add: (segment, digests, count) => add(segment, buckets, k, digests, count),
      test: (segment, digests, count, hits) => test(segment, buckets, k, digests, count, hits),
      remove: (segment, digests, count) => remove(segment, buckets, k, digests, count),
      unite: (segment, from) => unite(segment, from, buckets, k),
      fill: (segment) => used(segment, buckets, k) + REPEATED_UNIT * repeats(segment, buckets, k),
    };
  },
  predictedRate: (items, { bits, k }) => CUCKOO.rate(items, bits, k),
  fillRatio: (fill, shape) => sum(fill.map(usedIn)) / (shape.segments * slotsOf(shape)),
  details: (fill) => [{ name: 'repeatedFingerprints', label: 'repetitions', value: sum(fill.map(repeatedIn)) }],
  // A stranger falls into each segment equally often, and is each of the values there equally often.
  rateFromFill(fill, { segments, segmentBits, k }) {
    const distinct = sum(fill.map(distinctIn));
    return Math.min(1, distinct / (segments * cuckooValues(segmentBits, k)) + equalDigestRate(distinct));
  },
  itemsFromFill(fill, { segmentBits, k }) {
    const values = cuckooValues(segmentBits, k);
    return sumEstimates(fill.map((of) => estimateFromFill(distinctIn(of), values, 1)));
  },
};

function usedIn(fill: number): number {
  return fill % REPEATED_UNIT;
}

function repeatedIn(fill: number): number {
  return Math.floor(fill / REPEATED_UNIT);
}

function distinctIn(fill: number): number {
  return usedIn(fill) - repeatedIn(fill);
}

/** Slots of a segment. */
function slotsOf({ segmentBits, k }: Shape): number {
  return cuckooSlots(segmentBits, k);
}
