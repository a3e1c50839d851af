import { estimateFromFill, sumEstimates } from '../sizing/cardinality.ts';
import {
  bucketsOf,
  CUCKOO,
  CUCKOO_FINGERPRINT_LIMIT,
  cuckooItemsToPlan,
  cuckooSlots,
  cuckooValues,
} from '../sizing/cuckoo.ts';
import { equalDigestRateIn } from '../sizing/equal-digests.ts';
import { isSegmented, LINE_BITS, segmentBytes, segmented } from '../sizing/geometry.ts';
import { solve } from '../sizing/solve.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { foundScratch, writeParameters } from './parameters.ts';

/** The fill of a segment: its used slots, and the repetitions among them. */
export interface Slots {
  readonly used: number;
  readonly repeated: number;
}

/** The unit of repetitions in the table. */
const REPEATED_UNIT = 2 ** 32;

/**
 * The cuckoo filter (Fan, Andersen, Kaminsky & Mitzenmacher 2014).
 *
 * Idea: a key leaves a short fingerprint in one of two buckets. When both are full, another fingerprint moves to its other bucket. So a key
 * can be removed, in the space of a Bloom filter.
 * Invariant: every added fingerprint is in one of its two buckets, up to three times, until it is removed as often. A fingerprint that is
 * there three times is never removed.
 * Limits: when it is full, it refuses keys. Copies of a key use slots. Its bytes depend on the order of the keys.
 */
export const cuckoo: FilterKind<Slots> = {
  id: 4,
  name: 'cuckoo',
  purpose: 'supports removal; hardly larger than bloom',
  units: 'slots',
  refuses: true,
  itemsToPlan: cuckooItemsToPlan,
  abilities: ['add', 'remove', 'union'],
  plan: (constraints) => solve(CUCKOO, constraints),
  geometry: (bits) => segmented(bits),
  tallyBytes: LINE_BITS / 8,
  isShape: (shape) => shape.k <= CUCKOO_FINGERPRINT_LIMIT && isSegmented(shape),
  attach(kernel, shape, scratch) {
    const { segmentBits, k } = shape;
    const { cuckooAdd, cuckooAddNew, cuckooFill, cuckooRemove, cuckooTest, cuckooMerge } = kernel.exports;
    const bytes = segmentBytes(shape);
    const parameters = writeParameters(kernel, scratch, { units: bucketsOf(segmentBits, k), k, bytes });
    const found = foundScratch(kernel, scratch);
    const tallyOf = (segment: number) => new Uint32Array(kernel.memory.buffer, segment + bytes, 2);
    return {
      add: (segment, digests, count) => cuckooAdd(segment, digests, count, parameters),
      addNew: (segment, digests, count, known) => cuckooAddNew(segment, digests, count, known, parameters),
      test: (segment, digests, count, hits) => cuckooTest(segment, digests, count, hits, parameters),
      remove: (segment, digests, count) => cuckooRemove(segment, digests, count, parameters),
      mergeFrom: (segment, from) => cuckooMerge(segment, from, parameters),
      fill(segment) {
        cuckooFill(segment, parameters, found.address);
        const [used = 0, repeated = 0] = found.values;
        return { used, repeated };
      },
      tally: {
        begin(segment) {
          tallyOf(segment).set([1, 0]);
        },
        read(segment) {
          const [counted = 0, repeated = 0] = tallyOf(segment);
          return counted > 0 ? { used: counted - 1, repeated } : undefined;
        },
      },
    };
  },
  packFill: ({ used, repeated }) => used + REPEATED_UNIT * repeated,
  unpackFill: (packed) => ({ used: packed % REPEATED_UNIT, repeated: Math.floor(packed / REPEATED_UNIT) }),
  predictedRate: (items, { bits, k }) => CUCKOO.rate(items, bits, k),
  fillRatio: (fill, shape) => sum(fill.map(({ used }) => used)) / (shape.segments * slotsOf(shape)),
  details: (fill) => [
    { name: 'repeatedFingerprints', label: 'repetitions', value: sum(fill.map(({ repeated }) => repeated)) },
  ],
  // A non-member falls into each segment equally often, and has each possible value there equally often.
  rateFromFill(fill, shape) {
    const { segments, segmentBits, k } = shape;
    const distinct = sum(fill.map(distinctIn));
    return Math.min(1, distinct / (segments * cuckooValues(segmentBits, k)) + equalDigestRateIn(shape, distinct));
  },
  itemsFromFill(fill, { segmentBits, k }) {
    const values = cuckooValues(segmentBits, k);
    return sumEstimates(fill.map((of) => estimateFromFill(distinctIn(of), values, 1)));
  },
};

function distinctIn({ used, repeated }: Slots): number {
  return used - repeated;
}

/** Slots per segment. */
function slotsOf({ segmentBits, k }: Shape): number {
  return cuckooSlots(segmentBits, k);
}
