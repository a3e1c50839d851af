/** The payload of a filter: equal segments in a row. */
export interface Geometry {
  /** Total bits, m: segments times bits per segment. */
  readonly bits: number;
  readonly segments: number;
  /** A multiple of 512, so that a segment consists of whole 64-byte cache lines. */
  readonly segmentBits: number;
}

/** The most bits of a segment: 512 KiB, which fits the L2 cache of a core. */
export const SEGMENT_BITS_LIMIT = 2 ** 22;

/** Bits of a cache line. A segment consists of whole lines. */
export const LINE_BITS = 512;

/** The most segments of a filter, which can then have 1 TiB. Memory holds the data about each segment. */
export const SEGMENTS_LIMIT = 2 ** 21;

/**
 * The smallest limit that can be requested for the size of segments: 4 KiB, a page of most disks. If there are several
 * segments, each has more than half of this size.
 */
export const SMALLEST_SEGMENT_BITS = 2 ** 15;

/**
 * The fewest equal segments with together at least `bits` bits. A segment has at most `most` bits and is a multiple of
 * `unit`, which is a number of whole lines.
 */
export function segmented(bits: number, unit = LINE_BITS, most = SEGMENT_BITS_LIMIT): Geometry {
  const segments = Math.ceil(bits / most);
  const segmentBits = Math.ceil(bits / segments / unit) * unit;
  return { bits: segments * segmentBits, segments, segmentBits };
}

/** The fewest segments for `bits` bits, none larger than the limit. */
export function leastSegments(bits: number): number {
  return Math.ceil(bits / SEGMENT_BITS_LIMIT);
}

/**
 * Whether the filter has the fewest possible segments. Then no segment is larger than the limit. None is so small that
 * the fixed cost per segment exceeds the time to read it.
 */
export function isSegmented({ bits, segments }: Geometry): boolean {
  return segments === leastSegments(bits);
}

/** Like `isSegmented`, for segments that may have been requested to be smaller. */
export function isSegmentedFinely({ segments, segmentBits }: Geometry): boolean {
  return segmentBits <= SEGMENT_BITS_LIMIT && (segments === 1 || segmentBits > SMALLEST_SEGMENT_BITS / 2);
}

/** Bytes of one segment. */
export function segmentBytes(geometry: Geometry): number {
  return geometry.segmentBits / 8;
}

/** Bytes of all segments. */
export function payloadBytes(geometry: Geometry): number {
  return geometry.segments * segmentBytes(geometry);
}
