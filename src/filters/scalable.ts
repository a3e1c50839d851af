import { BloomError } from '../errors.ts';
import { BLOOM } from '../sizing/bloom.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import { GROWTHS, SLICES_LIMIT, type Slice, segmentsOf, slicesOf } from '../sizing/chain.ts';
import { SEGMENT_BITS_LIMIT } from '../sizing/geometry.ts';
import {
  chainCapacity,
  DEFAULT_GROWTH,
  DEFAULT_TIGHTENING,
  FIRST_BITS,
  firstGeometry,
  grownRate,
  keysGoneBy,
  LEAST_SEGMENT_BITS,
  scalableArithmetic,
} from '../sizing/scalable.ts';
import { solve } from '../sizing/solve.ts';
import { bloom, type Ones } from './bloom.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { attachSlices } from './slices.ts';

/**
 * The scalable Bloom filter (Almeida, Baquero, Preguiça & Hutchison 2007).
 *
 * Idea: when a Bloom filter is full, a larger one follows. Each has a lower rate than the one before, so that the sum of the rates stays
 * below a limit. A key is in the filter if it is in one of these slices.
 * Invariant: bits are only ever set, as in a Bloom filter. Only the last slice gets keys, and only keys that no slice has.
 * Limits: it has up to twice the size of a filter that was sized for its keys, and a query goes to all slices.
 */
export const scalable: FilterKind<Ones> = {
  id: 7,
  name: 'scalable',
  purpose: 'grows with its keys, if their number is not known',
  units: 'bits',
  refuses: false,
  itemsToPlan: (distinct) => distinct,
  capacity: ({ chain, segmentBits }) => (chain === undefined ? 0 : chainCapacity(chain, segmentBits)),
  concatenated: (shapes) => concatenated(shapes),
  abilities: ['add', 'concatenation'],
  plan(constraints) {
    const { tightening = DEFAULT_TIGHTENING } = constraints;
    const plan = solve(scalableArithmetic(tightening), constraints);
    if (plan === undefined) return undefined;
    return { ...plan, predictedFpr: BLOOM.rate(plan.items, plan.bits, plan.k) };
  },
  geometry: firstGeometry,
  isShape: ({ segmentBits }) => segmentBits >= LEAST_SEGMENT_BITS && segmentBits <= SEGMENT_BITS_LIMIT,
  growing: {
    firstBits: FIRST_BITS,
    chain({ fpr, k }, segments, { growth = DEFAULT_GROWTH, tightening = DEFAULT_TIGHTENING }) {
      requireGrowth(growth);
      return { fpr, growth, tightening, slices: [{ segments, k }] };
    },
    inLast: (fill, shape) => estimatesOf(fill, shape).at(-1) ?? { count: 0, error: 0 },
    segmentRates: (fill, shape) =>
      ofSlices(fill, shape, (part, { k }) => part.map(({ ones }) => (ones / shape.segmentBits) ** k)),
    attach: attachSlices,
  },
  attach: bloom.attach,
  packFill: bloom.packFill,
  unpackFill: bloom.unpackFill,
  predictedRate: (items, { chain, segmentBits }) => (chain === undefined ? 1 : grownRate(items, chain, segmentBits)),
  fillRatio: bloom.fillRatio,
  details: (fill, shape) => [
    {
      name: 'sliceFill',
      label: 'slices, filled',
      value: ofSlices(fill, shape, (part, slice) => bloom.fillRatio(part, sliceShape(shape, slice))),
    },
  ],
  // A non-member is a false positive if it is one in any of the slices.
  rateFromFill: (fill, shape) => -Math.expm1(sum(ratesOf(fill, shape).map((rate) => Math.log1p(-rate)))),
  itemsFromFill: (fill, shape) => keysGoneBy(slicesOf(shape), ratesOf(fill, shape), estimatesOf(fill, shape)),
};

/** The rate of each slice. */
function ratesOf(fill: readonly Ones[], shape: Shape): number[] {
  return ofSlices(fill, shape, (part, slice) => bloom.rateFromFill(part, sliceShape(shape, slice)));
}

/** Distinct keys of each slice. */
function estimatesOf(fill: readonly Ones[], shape: Shape): Estimate[] {
  return ofSlices(fill, shape, (part, slice) => bloom.itemsFromFill(part, sliceShape(shape, slice)));
}

/** The slices of all filters, one after the other: a key that is in no slice is in no filter. */
function concatenated(shapes: readonly Shape[]): Shape {
  const [first] = shapes;
  if (first?.chain === undefined) throw new Error('there are no slices');
  const slices = shapes.flatMap(slicesOf);
  if (slices.length > SLICES_LIMIT) {
    throw new BloomError(
      'mismatch',
      `the filters together have ${slices.length} slices, and a filter has at most ${SLICES_LIMIT}`,
      'build a filter from all keys, or filters of a fixed size, whose unions do not grow',
    );
  }
  return {
    ...sliceShape(first, { segments: segmentsOf({ slices }), k: first.k }),
    chain: { ...first.chain, slices },
  };
}

/** A slice as a filter of its own. */
function sliceShape({ segmentBits }: Shape, { segments, k }: Slice): Shape {
  return { segments, segmentBits, bits: segments * segmentBits, k };
}

/** Computes a value for each slice from the fill of its segments. */
function ofSlices<T>(fill: readonly Ones[], shape: Shape, of: (part: readonly Ones[], slice: Slice) => T): T[] {
  let first = 0;
  return slicesOf(shape).map((slice) => {
    const part = fill.slice(first, first + slice.segments);
    first += slice.segments;
    return of(part, slice);
  });
}

/** Throws a `usage` error for a growth factor that no header can have. */
function requireGrowth(growth: number): void {
  if (GROWTHS.some((known) => known === growth)) return;
  throw new BloomError(
    'usage',
    `--growth of the format bloomery is ${GROWTHS.join(', ')}, not ${growth}`,
    'state another one',
  );
}
