import { damaged } from '../errors.ts';
import { type PositionedFile, readAt } from '../io/positioned.ts';
import type { ByteRange } from '../io/remote/range-plan.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { checksumAt } from './checksum.ts';
import { seedOfTag, TAG_BYTES, tagIn } from './tags.ts';

/**
 * The segments of a regular file. Any thread reads them on demand, and threads send them to each other as a message.
 */
export interface StoredSegments {
  readonly file: PositionedFile;
  /** Offset of the first segment. The other segments follow it. */
  readonly begin: number;
  readonly count: number;
  /** The segment that a reader of a part counts as segment 0; 0 by default. */
  readonly first?: number;
  readonly segmentBytes: number;
  /** XXH64 with seed 0 of each segment. Undefined if the file has no checksums, or tags instead. */
  readonly checksums: BigUint64Array | undefined;
  /** The checksum of the header, if a tag follows each segment. */
  readonly tagged?: bigint | undefined;
}

/** Reads and verifies a segment, counted from 0, to an address in kernel memory. Throws `input` and `format` errors. */
export function readStored(stored: StoredSegments, segment: number, kernel: Kernel, address: number): void {
  const { file, count, segmentBytes, tagged, first = 0 } = stored;
  const bytes = strideOf(stored);
  // The memory after the segment is in use, so a tag is read into another buffer, with its segment.
  const into = tagged === undefined ? kernel.bytes(address, bytes) : new Uint8Array(bytes);
  if (readAt(file, into, rangeOfStored(stored, segment).from) !== bytes)
    throw damaged(file.name, endWithin(first + segment, count));
  if (tagged !== undefined) kernel.bytes(address, segmentBytes).set(into.subarray(0, segmentBytes));
  verifyStored(stored, segment, kernel, address, into.subarray(segmentBytes));
}

/** Bytes from a segment to the next. */
export function strideOf({ segmentBytes, tagged }: Pick<StoredSegments, 'segmentBytes' | 'tagged'>): number {
  return segmentBytes + (tagged === undefined ? 0 : TAG_BYTES);
}

/** The position of a segment and its tag in the file. */
export function rangeOfStored(stored: StoredSegments, segment: number): ByteRange {
  const { begin, first = 0 } = stored;
  const bytes = strideOf(stored);
  const from = begin + (first + segment) * bytes;
  return { from, to: from + bytes };
}

/** Verifies a segment in kernel memory by its checksum or its tag. Throws a `format` error. */
export function verifyStored(
  { file, count, segmentBytes, checksums, tagged, first = 0 }: StoredSegments,
  segment: number,
  kernel: Kernel,
  address: number,
  tag: Uint8Array,
): void {
  if (checksums === undefined && tagged === undefined) return;
  const index = first + segment;
  const [seed, expected] = tagged === undefined ? [0n, checksums?.[index]] : [seedOfTag(tagged, index), tagIn(tag)];
  if (checksumAt(kernel, address, segmentBytes, seed) !== expected)
    throw damaged(file.name, brokenSegment(index, count, tagged !== undefined));
}

/** The damage of a file that ends before its last segment. */
export function endWithin(segment: number, count: number): string {
  return `it ends within segment ${segment + 1} of ${count}`;
}

/** The damage of a file with a changed segment, and what still works. */
export function brokenSegment(segment: number, count: number, isTagged = false): string {
  const intact = isTagged ? 'the header is intact' : 'header and table are intact';
  const rest = count === 1 ? '' : ', and query -e still works for keys of other segments';
  return `segment ${segment + 1} of ${count} does not match its checksum (${intact}${rest})`;
}
