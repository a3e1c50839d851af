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
import { draftBytes, type FilterKind, type Shape, sum } from './kind.ts';

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
export const ribbon: FilterKind = {
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
  draft: {
    bytes: (shape) => draftBytes(capacityOf(shape)),
    scratchBytes: (shape) =>
      Math.max(2 * draftBytes(capacityOf(shape)), ROW_BYTES * (slotsOf(shape) + RIBBON_FINGERPRINT_LIMIT)),
  },
  attach(kernel, shape, scratch) {
    const { segments, segmentBits, k } = shape;
    const blocks = ribbonBlocks(segmentBits, k);
    const limit = ribbonLimit(segmentBits, k);
    const capacity = capacityOf(shape);
    const add = kernel.entry('ribbonAdd');
    const test = kernel.entry('ribbonTest');
    const seal = kernel.entry('ribbonSeal');
    const keys = kernel.entry('ribbonKeys');
    return {
      add: (draft, digests, count) => add(draft, capacity, segments, digests, count, scratch),
      finalize: (draft) => seal(draft, capacity, limit, blocks, k, scratch),
      test: (segment, digests, count, hits) => test(segment, segments, blocks, k, digests, count, hits),
      fill: (segment) => keys(segment),
    };
  },
  predictedRate: (items, { bits, k }) => RIBBON.rate(items, bits, k),
  fillRatio: (keys, shape) => sum(keys) / (shape.segments * slotsOf(shape)),
  details: () => [],
  rateFromFill: (keys, { k }) => ribbonRate(k) + equalDigestRate(sum(keys)),
  itemsFromFill: (keys) => ({ count: sum(keys), error: 0 }),
};

function slotsOf({ segmentBits, k }: Shape): number {
  return ribbonSlots(segmentBits, k);
}

function capacityOf(shape: Shape): number {
  return Math.floor(COPIES_ROOM * slotsOf(shape));
}
