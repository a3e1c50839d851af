import type { Kernel, ParametersAddress } from '../kernel/kernel.ts';
import { equalDigestRateIn } from '../sizing/equal-digests.ts';
import { isSegmentedFinely } from '../sizing/geometry.ts';
import { wholeSegments } from '../sizing/share.ts';
import { staticGeometry } from '../sizing/small-segments.ts';
import { solve } from '../sizing/solve.ts';
import {
  distinctKeys,
  predictedRate,
  STATIC_K_LIMIT,
  type StaticSizing,
  staticArithmetic,
  staticRate,
  staticWidth,
} from '../sizing/static.ts';
import { listBytes } from './drafts.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { writeParameters } from './parameters.ts';

/** The fill of a segment. */
interface Keys {
  readonly keys: number;
}

/** What differs between kinds whose segments are made from all keys at once and are immutable. */
export interface StaticKind extends Pick<FilterKind, 'id' | 'name' | 'purpose'> {
  readonly sizing: StaticSizing;
  /** Slots or unknowns per segment, as the kernel's functions count them. */
  unitsOf(segmentBits: number, k: number): number;
  /** Lower bits of a key that its fingerprint of k bits also depends on, as a mask. */
  lower?(k: number): number;
  /** A new trial mixes the keys of a draft. */
  readonly mixesKeys: boolean;
  /** Bytes of scratch to make a segment. */
  sealBytes(slots: number): number;
  /** The functions of the kernel: to make a segment from a draft, and to test digests. */
  entries(kernel: Kernel): {
    seal(draft: number, segment: number, parameters: ParametersAddress): number;
    test(segment: number, digests: number, count: number, hits: number, parameters: ParametersAddress): number;
  };
}

/** The capacity of a draft relative to its slots. The surplus is for copies of keys, which are removed when the draft is full. */
const COPIES_FACTOR = 1.25;

/** Offsets in a segment of its number of further trials, and of the number of bytes that its keys lack; and the limits of both. */
const TRIALS_AT = 4;
const HEAD_END = 8;
export const TRIALS_LIMIT = 64;
const DROPPED_LIMIT = 3;

/** A kind of filter that is made from drafts and is immutable. */
export function staticKind(own: StaticKind, protecting?: FilterKind): FilterKind<Keys> {
  const { id, name, purpose, sizing, unitsOf, lower, sealBytes, entries } = own;
  const { limit } = sizing;
  const slotsOf = ({ segmentBits, k }: Shape) => sizing.slots(segmentBits, k);
  const capacityOf = (shape: Shape) => Math.floor(COPIES_FACTOR * slotsOf(shape));
  return {
    ...{ id, name, purpose },
    units: 'slots',
    refuses: true,
    itemsToPlan: (distinct) => distinct,
    abilities: [],
    ...(protecting && { protecting }),
    plan: (constraints) => solve(staticArithmetic(sizing, constraints.segmentBits), constraints),
    geometry: (bits, k, segmentBits) => staticGeometry(limit, bits, k, segmentBits),
    dividesFinely: true,
    isShape: (shape) => shape.k <= STATIC_K_LIMIT && slotsOf(shape) > 0 && isSegmentedFinely(shape),
    isSegment: isStaticSegment,
    drafts: {
      capacity: capacityOf,
      bytes: (shape) => listBytes(capacityOf(shape), staticWidth(shape.k)),
      sealBytes: (shape) => sealBytes(slotsOf(shape)),
    },
    attach(kernel, shape, scratch) {
      const { segmentBits, k } = shape;
      const { staticAdd, staticKeys } = kernel.exports;
      const { seal, test } = entries(kernel);
      const parameters = writeParameters(kernel, scratch, {
        ...{ segments: wholeSegments(shape), units: unitsOf(segmentBits, k), k },
        ...{
          capacity: capacityOf(shape),
          limit: limit(segmentBits, k),
          lower: lower?.(k) ?? 0,
          width: staticWidth(k),
        },
      });
      return {
        add: (draft, digests, count) => staticAdd(draft, digests, count, parameters),
        seal: (draft) => seal(draft, draft, parameters),
        test: (segment, digests, count, hits) => test(segment, digests, count, hits, parameters),
        fill: (segment) => ({ keys: staticKeys(segment) >>> 0 }),
      };
    },
    packFill: ({ keys }) => keys,
    unpackFill: (keys) => ({ keys }),
    predictedRate: (items, shape) => predictedRate(limit, items, shape, shape.k),
    fillRatio: (fill, shape) => keysIn(fill) / (shape.segments * slotsOf(shape)),
    details: () => [],
    rateFromFill: (fill, shape) => staticRate(shape.k) + equalDigestRateIn(shape, keysIn(fill)),
    itemsFromFill: (fill, { k }) => distinctKeys(fill.map(keysOf), k),
  };
}

/** Whether the bytes can be a segment of a static kind, as far as its head shows. */
export function isStaticSegment(segment: Uint8Array): boolean {
  const [trials = 0, dropped = 0, ...unused] = segment.subarray(TRIALS_AT, HEAD_END);
  return trials <= TRIALS_LIMIT && dropped <= DROPPED_LIMIT && unused.every((byte) => byte === 0);
}

function keysOf({ keys }: Keys): number {
  return keys;
}

function keysIn(fill: readonly Keys[]): number {
  return sum(fill.map(keysOf));
}
