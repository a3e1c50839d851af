import { equalDigestRate } from '../sizing/bloom.ts';
import { isSegmented, segmented } from '../sizing/geometry.ts';
import {
  RIBBON,
  RIBBON_FINGERPRINT_LIMIT,
  ribbonBlocks,
  ribbonLimit,
  ribbonRate,
  ribbonSlots,
} from '../sizing/ribbon.ts';
import { solve } from '../sizing/solve.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { writeParameters } from './parameters.ts';

/** How full a segment is. */
interface Keys {
  readonly keys: number;
}

/** Room of a draft for copies, which are dropped when it is full. */
const COPIES_ROOM = 1.25;

/** Where a segment says how often its keys are mixed, and how often that is at most. */
const MIXES_AT = 4;
const MIXES_LIMIT = 64;

/** Bytes of an equation while they are solved, and of what is solved of a column. */
const ROW_BYTES = 16;

/**
 * The homogeneous ribbon filter (Dillinger & Walzer 2021).
 *
 * Idea: the filter is the solution of a system of equations, k for each key. It takes hardly more than the least that
 * is possible, and whoever has the wrong key fails each of its equations with a chance of one half.
 * Invariant: the segment solves the equations of all its keys.
 * Limits: all keys are needed at once, so that none can be added or removed, and no two filters merged.
 */
export const ribbon: FilterKind<Keys> = {
  id: 6,
  name: 'ribbon',
  purpose: 'the smallest, for sets that stay as they are',
  places: 'slots',
  refuses: true,
  itemsToPlan: (distinct) => distinct,
  abilities: [],
  plan: (constraints) => solve(RIBBON, constraints),
  geometry: (bits) => segmented(bits),
  isShape: (shape) =>
    shape.k <= RIBBON_FINGERPRINT_LIMIT && ribbonBlocks(shape.segmentBits, shape.k) > 0 && isSegmented(shape),
  isSegment: (segment) => new DataView(segment.buffer, segment.byteOffset).getUint32(MIXES_AT, true) <= MIXES_LIMIT,
  drafts: {
    capacity: capacityOf,
    finalizeBytes: (shape) => ROW_BYTES * (slotsOf(shape) + RIBBON_FINGERPRINT_LIMIT),
  },
  attach(kernel, shape, scratch) {
    const { segments, segmentBits, k } = shape;
    const { ribbonAdd, ribbonFinalize, ribbonKeys, ribbonTest } = kernel.exports;
    const [places, limit] = [ribbonBlocks(segmentBits, k), ribbonLimit(segmentBits, k)];
    const parameters = writeParameters(kernel, scratch, { segments, places, k, capacity: capacityOf(shape), limit });
    return {
      add: (draft, digests, count) => ribbonAdd(draft, digests, count, parameters),
      finalize: (draft) => ribbonFinalize(draft, parameters),
      test: (segment, digests, count, hits) => ribbonTest(segment, digests, count, hits, parameters),
      fill: (segment) => ({ keys: ribbonKeys(segment) >>> 0 }),
    };
  },
  packFill: ({ keys }) => keys,
  unpackFill: (keys) => ({ keys }),
  predictedRate: (items, { bits, k }) => RIBBON.rate(items, bits, k),
  fillRatio: (fill, shape) => keysIn(fill) / (shape.segments * slotsOf(shape)),
  details: () => [],
  rateFromFill: (fill, { k }) => ribbonRate(k) + equalDigestRate(keysIn(fill)),
  itemsFromFill: (fill) => ({ count: keysIn(fill), error: 0 }),
};

function keysIn(fill: readonly Keys[]): number {
  return sum(fill.map(({ keys }) => keys));
}

function slotsOf({ segmentBits, k }: Shape): number {
  return ribbonSlots(segmentBits, k);
}

function capacityOf(shape: Shape): number {
  return Math.floor(COPIES_ROOM * slotsOf(shape));
}
