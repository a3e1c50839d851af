import { equalDigestRate } from '../sizing/bloom.ts';
import { estimateFromFill, sumEstimates } from '../sizing/cardinality.ts';
import { leastSegments, segmentBytes } from '../sizing/geometry.ts';
import {
  blocksOf,
  doubledBits,
  QUOTIENT,
  quotientGeometry,
  quotientKeys,
  quotientRoom,
  quotientSlots,
  quotientValues,
} from '../sizing/quotient.ts';
import { wholeSegments } from '../sizing/share.ts';
import { solve } from '../sizing/solve.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { roomForFound, writeParameters } from './parameters.ts';

/** How full a segment is: its slots that are taken, those of them that repeat another, and how long clusters are. */
interface Slots {
  readonly taken: number;
  readonly repeated: number;
  /** The binary logarithm of the slots of the longest cluster, rounded up. */
  readonly clusterLog: number;
}

/** What they count in the table. That a count fits its 24 bits is why a segment has a greatest size. */
const REPEATED_UNIT = 2 ** 24;
const CLUSTER_UNIT = 2 ** 48;

/**
 * The quotient filter (Bender et al. 2012), with rank and select (Pandey, Bender, Johnson & Patro 2017).
 *
 * Idea: keys become numbers, and the filter is their sorted list, in which the high part of a number is only its place.
 * So filters merge as sorted lists do, also into one with more places and shorter remainders.
 * Invariant: the numbers in the slots are those of the keys that were added and not removed, up to eight times each;
 * one that is there eight times stays for ever.
 * Limits: it gets full, and then refuses keys; copies of a key take slots; a segment is changed only as a whole.
 */
export const quotient: FilterKind<Slots> = {
  id: 5,
  name: 'quotient',
  purpose: 'supports removal; merges into a larger filter',
  places: 'slots',
  refuses: true,
  itemsToPlan: quotientRoom,
  abilities: ['add', 'remove', 'unite'],
  plan: (constraints) => solve(QUOTIENT, constraints),
  geometry: quotientGeometry,
  // A segment that was enlarged can be larger than others.
  isShape: ({ segments, segmentBits, bits, k }) => blocksOf(segmentBits, k) > 0 && segments <= leastSegments(bits),
  drafts: { capacity: slotsOf, width: () => 8, sealBytes: segmentBytes },
  enlarging: {
    capacity: ({ segments, segmentBits, k }) => segments * quotientKeys(segmentBits, k),
    larger({ segments, segmentBits, k, share }) {
      const doubled = doubledBits(segmentBits, k);
      if (k === 1 || blocksOf(doubled, k - 1) === 0) return undefined;
      return { segments, segmentBits: doubled, bits: segments * doubled, k: k - 1, share };
    },
  },
  attach(kernel, shape, scratch) {
    const { segmentBits, k } = shape;
    const segments = wholeSegments(shape);
    const { quotientAdd, quotientAddNew, quotientFill, quotientSeal, quotientRemove, quotientTake, quotientTest } =
      kernel.exports;
    const places = blocksOf(segmentBits, k);
    const parameters = writeParameters(kernel, scratch, { segments, places, k, capacity: slotsOf(shape) });
    const found = roomForFound(kernel, scratch);
    return {
      add: (draft, digests, count) => quotientAdd(draft, digests, count, parameters),
      addNew: (segment, digests, count, known) => quotientAddNew(segment, digests, count, known, parameters),
      remove: (draft, digests, count) => quotientRemove(draft, digests, count, parameters),
      unite: (draft, from, of) => quotientTake(draft, from, blocksOf(of.segmentBits, of.k), of.k, parameters),
      seal: (draft) => quotientSeal(draft, parameters),
      test: (segment, digests, count, hits) => quotientTest(segment, digests, count, hits, parameters),
      fill(segment) {
        quotientFill(segment, parameters, found.address);
        const [taken = 0, repeated = 0, longest = 0] = found.values;
        return { taken, repeated, clusterLog: 32 - Math.clz32(Math.max(1, longest) - 1) };
      },
    };
  },
  packFill: ({ taken, repeated, clusterLog }) => taken + REPEATED_UNIT * repeated + CLUSTER_UNIT * clusterLog,
  unpackFill: (packed) => ({
    taken: packed % REPEATED_UNIT,
    repeated: Math.floor((packed % CLUSTER_UNIT) / REPEATED_UNIT),
    clusterLog: Math.floor(packed / CLUSTER_UNIT),
  }),
  predictedRate: (items, { bits, k }) => QUOTIENT.rate(items, bits, k),
  fillRatio: (fill, shape) => sum(fill.map(({ taken }) => taken)) / (shape.segments * slotsOf(shape)),
  details: (fill) => [
    { name: 'repeatedFingerprints', label: 'repetitions', value: sum(fill.map(({ repeated }) => repeated)) },
    {
      name: 'clustersUpTo',
      label: 'clusters up to',
      value: fill.reduce((longest, of) => Math.max(longest, of.taken === 0 ? 0 : 2 ** of.clusterLog), 0),
    },
  ],
  // A stranger falls into each segment equally often, and is each number equally often.
  rateFromFill(fill, shape) {
    const distinct = sum(fill.map(distinctIn));
    return Math.min(1, distinct / (shape.segments * valuesOf(shape)) + equalDigestRate(distinct));
  },
  itemsFromFill: (fill, shape) => sumEstimates(fill.map((of) => estimateFromFill(distinctIn(of), valuesOf(shape), 1))),
};

function slotsOf({ segmentBits, k }: Shape): number {
  return quotientSlots(segmentBits, k);
}

function valuesOf({ segmentBits, k }: Shape): number {
  return quotientValues(segmentBits, k);
}

function distinctIn({ taken, repeated }: Slots): number {
  return taken - repeated;
}
