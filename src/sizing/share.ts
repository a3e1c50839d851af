import type { Geometry } from './geometry.ts';

/** Neighbouring segments of a filter: segment `first`, counted from 0, and those behind it. */
export interface SegmentRange {
  readonly first: number;
  readonly count: number;
  /** Segments of the whole filter. */
  readonly of: number;
  /** Bits of a segment, where these are known. */
  readonly segmentBits?: number;
}

/** Which part of a filter its segments are: number `part` of `parts`, counted from 1. */
export interface Share {
  readonly part: number;
  readonly parts: number;
  /** Segments of the whole filter. */
  readonly segments: number;
}

/** Segments that are a filter, or a part of one. */
export interface SharedGeometry extends Geometry {
  readonly share?: Share | undefined;
}

/** The segments of a part: each segment is one of exactly one part, and of each part there are as many, or one more. */
export function rangeOfShare({ part, parts, segments }: Share): SegmentRange {
  const first = Math.floor(((part - 1) * segments) / parts);
  return { first, count: Math.floor((part * segments) / parts) - first, of: segments };
}

/** The segments that a filter, or a part of one, has. */
export function rangeOf({ segments, segmentBits, share }: SharedGeometry): SegmentRange {
  return { ...(share === undefined ? allOf(segments) : rangeOfShare(share)), segmentBits };
}

/** The segment of a range that the high half of a digest picks, from its first; undefined for one elsewhere. */
export function segmentOf({ first, count, of }: SegmentRange, high: number): number | undefined {
  const segment = Math.floor((high * of) / 2 ** 32) - first;
  return segment >= 0 && segment < count ? segment : undefined;
}

/** The range of all segments. */
export function allOf(segments: number): SegmentRange {
  return { first: 0, count: segments, of: segments };
}

/** Segments of the whole filter, of which a digest picks one. */
export function wholeSegments({ segments, share }: SharedGeometry): number {
  return share?.segments ?? segments;
}

/** The share of the segments of a filter that there are: 1 but for a part. */
export function heldShare(shape: SharedGeometry): number {
  const { count, of } = rangeOf(shape);
  return count / of;
}

/** A part of a filter, or of that of which one is given; it has as many segments as parts at least. Of one part it is the filter. */
export function partOf<G extends SharedGeometry>(shape: G, part: number, parts: number): G {
  const whole = wholeOf(shape);
  if (parts === 1) return whole;
  const share = { part, parts, segments: whole.segments };
  return { ...held(whole, rangeOfShare(share).count), share };
}

/** The filter that something is a part of, if it is one. */
export function wholeOf<G extends SharedGeometry>(shape: G): G {
  return shape.share === undefined ? shape : { ...held(shape, shape.share.segments), share: undefined };
}

function held<G extends SharedGeometry>(shape: G, segments: number): G {
  return { ...shape, segments, bits: segments * shape.segmentBits };
}
