// The kinds of filters, by their numbers in files: which shapes they have, and how a segment answers.

import { CUCKOO_FINGERPRINT_LIMIT } from '../sizing/cuckoo.ts';
import { fuseSlots } from '../sizing/fuse.ts';
import {
  type Geometry,
  isSegmented,
  isSegmentedFinely,
  leastSegments,
  SEGMENT_BITS_LIMIT,
} from '../sizing/geometry.ts';
import { blocksOf } from '../sizing/quotient.ts';
import { ribbonBlocks } from '../sizing/ribbon.ts';
import { LEAST_SEGMENT_BITS } from '../sizing/scalable.ts';
import { STATIC_K_LIMIT } from '../sizing/static.ts';
import { inFuse, inProtected, inQuotient, inRibbon } from './fractions.ts';
import { inBlocked, inBloom, inCounting, inCuckoo } from './probes.ts';
import { high, wrap } from './words.ts';

/** A digest, also in halves of 32 bits. */
export interface Digest {
  readonly whole: bigint;
  readonly high: number;
  readonly low: number;
}

export function digestOf(whole: bigint): Digest {
  return { whole, high: Number(high(whole)), low: Number(whole & 0xffffffffn) };
}

/** A segment that can have a key. */
export interface PlaceOfKey {
  /** Counted from 0 in the file. */
  readonly segment: number;
  /** Counted from 0 in the filter. */
  readonly index: number;
  /** The number of hash functions, which differs between slices. */
  readonly k: number;
}

/** A slice of a filter that grows, or the whole of another filter. */
export interface WebSlice {
  readonly segments: number;
  readonly k: number;
}

/** The whole filter, whose part the file may be. */
export interface WebShape extends Geometry {
  readonly k: number;
  readonly slices: readonly WebSlice[];
  readonly isChained: boolean;
  /** Bits of the screen of a segment; 0 without protected keys. */
  readonly screenBits: number;
}

export interface Kind {
  readonly name: string;
  readonly isChained?: true;
  /** The header has protected keys. */
  readonly isProtected?: true;
  /** Whether a filter, or the filter of a part, can have this shape. */
  isShape(shape: WebShape): boolean;
  /** Whether a segment may have the key of a digest. */
  has(segment: Uint8Array, digest: Digest, place: PlaceOfKey, shape: WebShape): boolean;
}

const fraction = ({ whole }: Digest, shape: WebShape): bigint => wrap(whole * BigInt(shape.segments));

const isStatic = (shape: WebShape): boolean =>
  shape.k <= STATIC_K_LIMIT && (isSegmented(shape) || isSegmentedFinely(shape));
const isRibbon = (shape: WebShape): boolean => isStatic(shape) && ribbonBlocks(shape.segmentBits, shape.k) > 0;
const isFuse = (shape: WebShape): boolean => isStatic(shape) && fuseSlots(shape.segmentBits, shape.k) > 0;

function isProtected(shape: WebShape, slots: (bits: number, k: number) => number): boolean {
  const { k, segmentBits, screenBits } = shape;
  const isScreen =
    k === 1 ? screenBits === 64 : screenBits % 64 === 0 && screenBits < segmentBits && slots(screenBits, k - 1) > 0;
  return isStatic(shape) && isScreen && ribbonBlocks(segmentBits - screenBits, 1) > 0;
}

export const KINDS: Readonly<Record<number, Kind>> = {
  1: {
    name: 'bloom',
    isShape: isSegmentedFinely,
    has: (segment, digest, { k }) => inBloom(segment, digest, k),
  },
  2: {
    name: 'blocked',
    isShape: (shape) => shape.k === 8 && isSegmentedFinely(shape),
    has: (segment, digest, place, shape) => inBlocked(segment, digest, shape.segments, place.index),
  },
  3: {
    name: 'counting',
    isShape: isSegmentedFinely,
    has: (segment, digest, { k }) => inCounting(segment, digest, k),
  },
  4: {
    name: 'cuckoo',
    isShape: (shape) => shape.k <= CUCKOO_FINGERPRINT_LIMIT && isSegmented(shape),
    has: (segment, digest, { k }) => inCuckoo(segment, digest, k),
  },
  5: {
    name: 'quotient',
    isShape: ({ segments, segmentBits, bits, k }) => blocksOf(segmentBits, k) > 0 && segments <= leastSegments(bits),
    has: (segment, digest, { k }, shape) => inQuotient(segment, fraction(digest, shape), k),
  },
  6: {
    name: 'ribbon',
    isShape: isRibbon,
    has: (segment, digest, { k }, shape) => inRibbon(segment, fraction(digest, shape), k),
  },
  7: {
    name: 'scalable',
    isChained: true,
    isShape: ({ segmentBits }) => segmentBits >= LEAST_SEGMENT_BITS && segmentBits <= SEGMENT_BITS_LIMIT,
    has: (segment, digest, { k }) => inBloom(segment, digest, k),
  },
  9: {
    name: 'fuse',
    isShape: isFuse,
    has: (segment, digest, { k }, shape) => inFuse(segment, fraction(digest, shape), k, true),
  },
  10: {
    name: 'fuse',
    isShape: isFuse,
    has: (segment, digest, { k }, shape) => inFuse(segment, fraction(digest, shape), k),
  },
  11: {
    name: 'ribbon',
    isProtected: true,
    isShape: (shape) => isProtected(shape, ribbonBlocks),
    has: (segment, digest, { k }, shape) =>
      inProtected(segment, fraction(digest, shape), k, shape.screenBits, inRibbon),
  },
  12: {
    name: 'fuse',
    isProtected: true,
    isShape: (shape) => isProtected(shape, fuseSlots),
    has: (segment, digest, { k }, shape) => inProtected(segment, fraction(digest, shape), k, shape.screenBits, inFuse),
  },
};
