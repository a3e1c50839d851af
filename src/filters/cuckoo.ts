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
import { isSegmented, LINE_BITS, segmentBytes, segmented } from '../sizing/geometry.ts';
import { solve } from '../sizing/solve.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { roomForFound, writeParameters } from './parameters.ts';

/** The fill of a segment: its used slots, and the repetitions among them. */
export interface Slots {
  readonly taken: number;
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
  places: 'slots',
  refuses: true,
  itemsToPlan: cuckooRoom,
  abilities: ['add', 'remove', 'unite'],
  plan: (constraints) => solve(CUCKOO, constraints),
  geometry: (bits) => segmented(bits),
  tallyBytes: LINE_BITS / 8,
  isShape: (shape) => shape.k <= CUCKOO_FINGERPRINT_LIMIT && isSegmented(shape),
  attach(kernel, shape, scratch) {
    const { segmentBits, k } = shape;
    const { cuckooAdd, cuckooAddNew, cuckooFill, cuckooRemove, cuckooTest, cuckooUnite } = kernel.exports;
    const bytes = segmentBytes(shape);
    const parameters = writeParameters(kernel, scratch, { places: bucketsOf(segmentBits, k), k, bytes });
    const found = roomForFound(kernel, scratch);
    const tallyOf = (segment: number) => new Uint32Array(kernel.memory.buffer, segment + bytes, 2);
    return {
      add: (segment, digests, count) => cuckooAdd(segment, digests, count, parameters),
      addNew: (segment, digests, count, known) => cuckooAddNew(segment, digests, count, known, parameters),
      test: (segment, digests, count, hits) => cuckooTest(segment, digests, count, hits, parameters),
      remove: (segment, digests, count) => cuckooRemove(segment, digests, count, parameters),
      unite: (segment, from) => cuckooUnite(segment, from, parameters),
      fill(segment) {
        cuckooFill(segment, parameters, found.address);
        const [taken = 0, repeated = 0] = found.values;
        return { taken, repeated };
      },
      tally: {
        begin(segment) {
          tallyOf(segment).set([1, 0]);
        },
        read(segment) {
          const [counted = 0, repeated = 0] = tallyOf(segment);
          return counted > 0 ? { taken: counted - 1, repeated } : undefined;
        },
      },
    };
  },
  packFill: ({ taken, repeated }) => taken + REPEATED_UNIT * repeated,
  unpackFill: (packed) => ({ taken: packed % REPEATED_UNIT, repeated: Math.floor(packed / REPEATED_UNIT) }),
  predictedRate: (items, { bits, k }) => CUCKOO.rate(items, bits, k),
  fillRatio: (fill, shape) => sum(fill.map(({ taken }) => taken)) / (shape.segments * slotsOf(shape)),
  details: (fill) => [
    { name: 'repeatedFingerprints', label: 'repetitions', value: sum(fill.map(({ repeated }) => repeated)) },
  ],
  // A non-member falls into each segment equally often, and has each possible value there equally often.
  rateFromFill(fill, { segments, segmentBits, k }) {
    const distinct = sum(fill.map(distinctIn));
    return Math.min(1, distinct / (segments * cuckooValues(segmentBits, k)) + equalDigestRate(distinct));
  },
  itemsFromFill(fill, { segmentBits, k }) {
    const values = cuckooValues(segmentBits, k);
    return sumEstimates(fill.map((of) => estimateFromFill(distinctIn(of), values, 1)));
  },
};

function distinctIn({ taken, repeated }: Slots): number {
  return taken - repeated;
}

/** Slots per segment. */
function slotsOf({ segmentBits, k }: Shape): number {
  return cuckooSlots(segmentBits, k);
}
