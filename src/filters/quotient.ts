import { estimateFromFill, sumEstimates } from '../sizing/cardinality.ts';
import { equalDigestRateIn } from '../sizing/equal-digests.ts';
import { leastSegments, segmentBytes } from '../sizing/geometry.ts';
import {
  blocksOf,
  doubledBits,
  QUOTIENT,
  quotientGeometry,
  quotientItemsToPlan,
  quotientKeys,
  quotientSlots,
  quotientValues,
} from '../sizing/quotient.ts';
import { wholeSegments } from '../sizing/share.ts';
import { solve } from '../sizing/solve.ts';
import { listBytes } from './drafts.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { foundScratch, writeParameters } from './parameters.ts';

/** The fill of a segment: its used slots, the repetitions among them, and the length of its clusters. */
interface Slots {
  readonly used: number;
  readonly repeated: number;
  /** The binary logarithm of the number of slots in the longest cluster, rounded up. */
  readonly clusterLog: number;
}

/** The units in the table. A count must fit in 24 bits, which limits the size of a segment. */
const REPEATED_UNIT = 2 ** 24;
const CLUSTER_UNIT = 2 ** 48;

/**
 * The quotient filter (Bender et al. 2012), with rank and select (Pandey, Bender, Johnson & Patro 2017).
 *
 * Idea: keys become numbers, and the filter is their sorted list, in which the high part of a number is only its place. Filters merge like
 * sorted lists, also into a filter with more slots and shorter remainders.
 * Invariant: the numbers in the slots are those of the keys that were added and not removed, up to eight times each. A number that is there
 * eight times is never removed.
 * Limits: when it is full, it refuses keys. Copies of a key use slots. A segment is changed only as a whole.
 */
export const quotient: FilterKind<Slots> = {
  id: 5,
  name: 'quotient',
  purpose: 'supports removal; merges into a larger filter',
  units: 'slots',
  refuses: true,
  itemsToPlan: quotientItemsToPlan,
  abilities: ['add', 'remove', 'union'],
  plan: (constraints) => solve(QUOTIENT, constraints),
  geometry: quotientGeometry,
  // An enlarged segment can be larger than a new one may be.
  isShape: ({ segments, segmentBits, bits, k }) => blocksOf(segmentBits, k) > 0 && segments <= leastSegments(bits),
  drafts: { capacity: slotsOf, bytes: (shape) => listBytes(slotsOf(shape), 8), sealBytes: segmentBytes },
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
    const { quotientAdd, quotientAddNew, quotientFill, quotientSeal, quotientRemove, quotientMerge, quotientTest } =
      kernel.exports;
    const units = blocksOf(segmentBits, k);
    const parameters = writeParameters(kernel, scratch, { segments, units, k, capacity: slotsOf(shape) });
    const found = foundScratch(kernel, scratch);
    return {
      add: (draft, digests, count) => quotientAdd(draft, digests, count, parameters),
      addNew: (segment, digests, count, known) => quotientAddNew(segment, digests, count, known, parameters),
      remove: (draft, digests, count) => quotientRemove(draft, digests, count, parameters),
      mergeFrom: (draft, from, of) => quotientMerge(draft, from, blocksOf(of.segmentBits, of.k), of.k, parameters),
      seal: (draft) => quotientSeal(draft, parameters),
      test: (segment, digests, count, hits) => quotientTest(segment, digests, count, hits, parameters),
      fill(segment) {
        quotientFill(segment, parameters, found.address);
        const [used = 0, repeated = 0, longest = 0] = found.values;
        return { used, repeated, clusterLog: 32 - Math.clz32(Math.max(1, longest) - 1) };
      },
    };
  },
  packFill: ({ used, repeated, clusterLog }) => used + REPEATED_UNIT * repeated + CLUSTER_UNIT * clusterLog,
  unpackFill: (packed) => ({
    used: packed % REPEATED_UNIT,
    repeated: Math.floor((packed % CLUSTER_UNIT) / REPEATED_UNIT),
    clusterLog: Math.floor(packed / CLUSTER_UNIT),
  }),
  predictedRate: (items, { bits, k }) => QUOTIENT.rate(items, bits, k),
  fillRatio: (fill, shape) => sum(fill.map(({ used }) => used)) / (shape.segments * slotsOf(shape)),
  details: (fill) => [
    { name: 'repeatedFingerprints', label: 'repetitions', value: sum(fill.map(({ repeated }) => repeated)) },
    {
      name: 'clustersUpTo',
      label: 'clusters up to',
      value: fill.reduce((longest, of) => Math.max(longest, of.used === 0 ? 0 : 2 ** of.clusterLog), 0),
    },
  ],
  // A non-member falls into each segment equally often, and has each number equally often.
  rateFromFill(fill, shape) {
    const distinct = sum(fill.map(distinctIn));
    return Math.min(1, distinct / (shape.segments * valuesOf(shape)) + equalDigestRateIn(shape, distinct));
  },
  itemsFromFill: (fill, shape) => sumEstimates(fill.map((of) => estimateFromFill(distinctIn(of), valuesOf(shape), 1))),
};

function slotsOf({ segmentBits, k }: Shape): number {
  return quotientSlots(segmentBits, k);
}

function valuesOf({ segmentBits, k }: Shape): number {
  return quotientValues(segmentBits, k);
}

function distinctIn({ used, repeated }: Slots): number {
  return used - repeated;
}
