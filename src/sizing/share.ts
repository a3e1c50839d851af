import type { Geometry } from './geometry.ts';

/** Neighbouring segments of a filter, from segment `first`, counted from 0. */
export interface SegmentRange {
  readonly first: number;
  readonly count: number;
  /** The number of segments of the whole filter. */
  readonly of: number;
  /** Bits of a segment, if known. */
  readonly segmentBits?: number;
}

/** Whether a range is only a part of the filter. */
export function isPart({ count, of }: SegmentRange): boolean {
  return count !== of;
}

/** Part `part` of `parts` of a filter, counted from 1. */
export interface Share {
  readonly part: number;
  readonly parts: number;
  /** The number of segments of the whole filter. */
  readonly segments: number;
}

/** The segments of a filter or of a part of a filter. */
export interface SharedGeometry extends Geometry {
  readonly share?: Share | undefined;
}

/**
 * The segments of a part. Each segment belongs to exactly one part, and the sizes of the parts differ by at most one
 * segment.
 */
export function rangeOfShare({ part, parts, segments }: Share): SegmentRange {
  const first = Math.floor(((part - 1) * segments) / parts);
  return { first, count: Math.floor((part * segments) / parts) - first, of: segments };
}

/** The segments of a filter or of a part of a filter. */
export function rangeOf({ segments, segmentBits, share }: SharedGeometry): SegmentRange {
  return { ...(share === undefined ? allOf(segments) : rangeOfShare(share)), segmentBits };
}

/**
 * The segment that the high half of a digest selects, counted from the first segment of the range; undefined if it is
 * outside.
 */
export function segmentOf({ first, count, of }: SegmentRange, high: number): number | undefined {
  const segment = Math.floor((high * of) / 2 ** 32) - first;
  return segment >= 0 && segment < count ? segment : undefined;
}

/** The range of all segments. */
export function allOf(segments: number): SegmentRange {
  return { first: 0, count: segments, of: segments };
}

/** The number of segments of the whole filter, from which a digest selects one. */
export function wholeSegments({ segments, share }: SharedGeometry): number {
  return share?.segments ?? segments;
}

/** The share of a filter's segments that are present: 1 for a whole filter. */
export function heldShare(shape: SharedGeometry): number {
  const { count, of } = rangeOf(shape);
  return count / of;
}

/**
 * A part of a filter; `shape` may itself be a part of the filter. There must be at least as many segments as parts. The
 * result is the whole filter if parts = 1.
 */
export function partOf<G extends SharedGeometry>(shape: G, part: number, parts: number): G {
  const whole = wholeOf(shape);
  if (parts === 1) return whole;
  const share = { part, parts, segments: whole.segments };
  return { ...held(whole, rangeOfShare(share).count), share };
}

/** The whole filter for a filter or a part of it. */
export function wholeOf<G extends SharedGeometry>(shape: G): G {
  return shape.share === undefined ? shape : { ...held(shape, shape.share.segments), share: undefined };
}

function held<G extends SharedGeometry>(shape: G, segments: number): G {
  return { ...shape, segments, bits: segments * shape.segmentBits };
}
