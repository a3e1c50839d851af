/** The payload of a filter: equal segments, one after the other. */
export interface Geometry {
  /** Total bits, m: segments times bits of a segment. */
  readonly bits: number;
  readonly segments: number;
  /** A multiple of 512, so that a segment is whole 64-byte lines. */
  readonly segmentBits: number;
}

/** Most bits of a segment: 512 KiB, which fits the L2 cache of a core. */
export const SEGMENT_BITS_LIMIT = 2 ** 22;

/** Bits of a cache line: segments are whole ones. */
export const LINE_BITS = 512;

/** Most segments of a filter, which can be of 1 TiB then: what is known of each of them is in memory. */
export const SEGMENTS_LIMIT = 2 ** 21;

/**
 * Most bits that a segment may be asked to have at least: 16 KiB, which a network brings as soon as one byte. Of two or more
 * segments each has more than half of it.
 */
export const SMALLEST_SEGMENT_BITS = 2 ** 17;

/** The fewest equal segments, of `most` bits at most, that hold at least this many bits, each a multiple of some that is whole lines. */
export function segmented(bits: number, unit = LINE_BITS, most = SEGMENT_BITS_LIMIT): Geometry {
  const segments = Math.ceil(bits / most);
  const segmentBits = Math.ceil(bits / segments / unit) * unit;
  return { bits: segments * segmentBits, segments, segmentBits };
}

/** The fewest segments that so many bits can have, none of them larger than the limit. */
export function leastSegments(bits: number): number {
  return Math.ceil(bits / SEGMENT_BITS_LIMIT);
}

/**
 * Whether there are as few segments as their bits can have: none is larger than the limit, nor so small that what each
 * of many costs is more than reading it.
 */
export function isSegmented({ bits, segments }: Geometry): boolean {
  return segments === leastSegments(bits);
}

/** The same of segments that may have been asked to be smaller. */
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
