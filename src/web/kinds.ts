// The kinds of filters, by their numbers in files: which shapes they have, and how a segment answers.

import type { Shape } from '../filters/kind.ts';
import { CUCKOO_FINGERPRINT_LIMIT } from '../sizing/cuckoo.ts';
import { fuseSlots } from '../sizing/fuse.ts';
import { isSegmented, isSegmentedFinely, leastSegments, SEGMENT_BITS_LIMIT } from '../sizing/geometry.ts';
import { blocksOf } from '../sizing/quotient.ts';
import { ribbonBlocks } from '../sizing/ribbon.ts';
import { LEAST_SEGMENT_BITS } from '../sizing/scalable.ts';
import { rangeOf, wholeSegments } from '../sizing/share.ts';
import { STATIC_K_LIMIT } from '../sizing/static.ts';
import { inFuse, inProtected, inQuotient, inRibbon } from './fractions.ts';
import { scale } from './halves.ts';
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
  /** The number of hash functions, which differs between slices. */
  readonly k: number;
}

/** The segments that can have a key: one in each slice. Empty if the segment is in another part. */
export function placesOf({ high }: Digest, shape: Shape): PlaceOfKey[] {
  const { first, count, of } = rangeOf(shape);
  let begin = -first;
  return (shape.chain?.slices ?? [{ segments: of, k: shape.k }]).flatMap(({ segments, k }) => {
    const segment = begin + scale(high, segments);
    begin += segments;
    return segment >= 0 && segment < count ? [{ segment, k }] : [];
  });
}

export interface Kind {
  readonly name: string;
  /** Whether a filter, or the filter of a part, can have this shape. */
  isShape(shape: Shape): boolean;
  /** Whether a segment may have the key of a digest. */
  has(segment: Uint8Array, digest: Digest, place: PlaceOfKey, shape: Shape): boolean;
}

const fraction = ({ whole }: Digest, shape: Shape): bigint => wrap(whole * BigInt(wholeSegments(shape)));

const isStatic = (shape: Shape): boolean =>
  shape.k <= STATIC_K_LIMIT && (isSegmented(shape) || isSegmentedFinely(shape));
const isRibbon = (shape: Shape): boolean => isStatic(shape) && ribbonBlocks(shape.segmentBits, shape.k) > 0;
const isFuse = (shape: Shape): boolean => isStatic(shape) && fuseSlots(shape.segmentBits, shape.k) > 0;

function isProtected(shape: Shape, slots: (bits: number, k: number) => number): boolean {
  const { k, segmentBits, protectedKeys } = shape;
  if (protectedKeys === undefined || !isStatic(shape)) return false;
  const { screenBits } = protectedKeys;
  const isScreen =
    k === 1 ? screenBits === 64 : screenBits % 64 === 0 && screenBits < segmentBits && slots(screenBits, k - 1) > 0;
  return isScreen && ribbonBlocks(segmentBits - screenBits, 1) > 0;
}

const screenBits = ({ protectedKeys }: Shape): number => protectedKeys?.screenBits ?? 0;

export const KINDS: Readonly<Record<number, Kind>> = {
  1: {
    name: 'bloom',
    isShape: isSegmentedFinely,
    has: (segment, digest, { k }) => inBloom(segment, digest, k),
  },
  2: {
    name: 'blocked',
    isShape: (shape) => shape.k === 8 && isSegmentedFinely(shape),
    has: (segment, digest, place, shape) =>
      inBlocked(segment, digest, wholeSegments(shape), rangeOf(shape).first + place.segment),
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
    isShape: ({ segmentBits, chain }) =>
      chain !== undefined && segmentBits >= LEAST_SEGMENT_BITS && segmentBits <= SEGMENT_BITS_LIMIT,
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
    isShape: (shape) => isProtected(shape, ribbonBlocks),
    has: (segment, digest, { k }, shape) =>
      inProtected(segment, fraction(digest, shape), k, screenBits(shape), inRibbon),
  },
  12: {
    name: 'fuse',
    isShape: (shape) => isProtected(shape, fuseSlots),
    has: (segment, digest, { k }, shape) => inProtected(segment, fraction(digest, shape), k, screenBits(shape), inFuse),
  },
};
