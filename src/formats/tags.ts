// The tags of a file with many small segments. A tag follows each segment, and verifies it without the table.

import type { Shape } from '../filters/kind.ts';
import { SEGMENT_BITS_LIMIT } from '../sizing/geometry.ts';
import { wholeSegments } from '../sizing/share.ts';

export const TAG_BYTES = 8;

/** The largest number of small segments without tags. Their table has 4 KiB and is read at once. */
const UNTAGGED_SEGMENTS = 256;

/** Whether a writer adds tags. It does so if a point query would read a long table for a short segment. */
export function needsTags(shape: Shape): boolean {
  const isFine = shape.chain === undefined && shape.segmentBits <= SEGMENT_BITS_LIMIT / 2;
  return isFine && wholeSegments(shape) > UNTAGGED_SEGMENTS;
}

/** The seed of a tag. It depends on the header and the segment, counted from 0, so no other segment fits. */
export function seedOfTag(headerChecksum: bigint, segment: number): bigint {
  return BigInt.asUintN(64, headerChecksum + BigInt(segment));
}

/** The bytes of a tag. */
export function tagBytes(tag: bigint): Uint8Array {
  const bytes = new Uint8Array(TAG_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, tag, true);
  return bytes;
}

/** The tag in bytes. */
export function tagIn(bytes: Uint8Array): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, TAG_BYTES).getBigUint64(0, true);
}
