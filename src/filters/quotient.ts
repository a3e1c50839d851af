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
import { solve } from '../sizing/solve.ts';
import { draftBytes, type FilterKind, type Shape, sum } from './kind.ts';

/**
 * The fill of a segment: slots that are taken, and in these units those that repeat another, and the binary logarithm of
 * the slots of the longest cluster, rounded up. That a count fits its 24 bits is why a segment has a greatest size.
 */
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
export const quotient: FilterKind = {
  id: 5,
  name: 'quotient',
  purpose: 'forgets keys, and merges into larger ones',
  places: 'slots',
  refuses: true,
  itemsToPlan: quotientRoom,
  abilities: ['add', 'remove', 'merge'],
  plan: (constraints) => solve(QUOTIENT, constraints),
  geometry: quotientGeometry,
  // A segment that was enlarged can be larger than others.
  isShape: ({ segments, segmentBits, bits, k }) => blocksOf(segmentBits, k) > 0 && segments <= leastSegments(bits),
  draft: {
    bytes: (shape) => Math.max(draftBytes(slotsOf(shape)), segmentBytes(shape)),
    // To sort a list takes as much again, and the buckets half as much or as much.
    scratchBytes: (shape) => Math.max(2 * draftBytes(slotsOf(shape)), segmentBytes(shape)),
  },
  enlarging: {
    capacity: ({ segments, segmentBits, k }) => segments * quotientKeys(segmentBits, k),
    larger({ segments, segmentBits, k }) {
      const doubled = doubledBits(segmentBits, k);
      if (k === 1 || blocksOf(doubled, k - 1) === 0) return undefined;
      return { segments, segmentBits: doubled, bits: segments * doubled, k: k - 1 };
    },
  },
  attach(kernel, shape, scratch) {
    const { segments, segmentBits, k } = shape;
    const blocks = blocksOf(segmentBits, k);
    const capacity = slotsOf(shape);
    const add = kernel.entry('quotientAdd');
    const test = kernel.entry('quotientTest');
    const remove = kernel.entry('quotientRemove');
    const take = kernel.entry('quotientTake');
    const seal = kernel.entry('quotientSeal');
    const used = kernel.entry('quotientUsed');
    const repeated = kernel.entry('quotientRepeated');
    const longest = kernel.entry('quotientLongest');
    return {
      add: (draft, digests, count) => add(draft, capacity, segments, blocks, k, digests, count, scratch),
      remove: (draft, digests, count) => remove(draft, capacity, segments, blocks, k, digests, count, scratch),
      unite: (draft, from, of) => take(draft, capacity, from, blocksOf(of.segmentBits, of.k), of.k, scratch),
      finalize: (draft) => seal(draft, capacity, blocks, k, scratch),
      test: (segment, digests, count, hits) => test(segment, segments, blocks, k, digests, count, hits),
      fill(segment) {
        const taken = used(segment, blocks, k);
        const cluster = 32 - Math.clz32(Math.max(1, longest()) - 1);
        return taken + REPEATED_UNIT * repeated() + CLUSTER_UNIT * cluster;
      },
    };
  },
  predictedRate: (items, { bits, k }) => QUOTIENT.rate(items, bits, k),
  fillRatio: (fill, shape) => sum(fill.map(takenIn)) / (shape.segments * slotsOf(shape)),
  details: (fill) => [
    { name: 'repeatedFingerprints', label: 'repetitions', value: sum(fill.map(repeatedIn)) },
    {
      name: 'clustersUpTo',
      label: 'clusters up to',
      value: fill.map(clusterIn).reduce((a, b) => Math.max(a, b), 0),
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

function takenIn(fill: number): number {
  return fill % REPEATED_UNIT;
}

function repeatedIn(fill: number): number {
  return Math.floor((fill % CLUSTER_UNIT) / REPEATED_UNIT);
}

function clusterIn(fill: number): number {
  return takenIn(fill) === 0 ? 0 : 2 ** Math.floor(fill / CLUSTER_UNIT);
}

function distinctIn(fill: number): number {
  return takenIn(fill) - repeatedIn(fill);
}
