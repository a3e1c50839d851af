import { damaged } from '../errors.ts';
import { type PositionedFile, readAt } from '../io/positioned.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { checksumAt } from './checksum.ts';

/**
 * The segments of a regular file. Any thread reads them on demand, and threads send them to each other as a message.
 */
export interface StoredSegments {
  readonly file: PositionedFile;
  /** Offset of the first segment. The others follow it. */
  readonly begin: number;
  readonly count: number;
  /** The segment that is counted as segment 0 by whoever reads a part of the file; 0 by default. */
  readonly first?: number;
  readonly segmentBytes: number;
  /** XXH64 with seed 0 of each segment. Undefined if the file has no checksums. */
  readonly checksums: BigUint64Array | undefined;
}

/** Reads and verifies a segment, counted from 0, to an address in kernel memory. Throws `input` and `format` errors. */
export function readStored(stored: StoredSegments, segment: number, kernel: Kernel, address: number): void {
  const { file, begin, count, segmentBytes, first = 0 } = stored;
  const read = readAt(file, kernel.bytes(address, segmentBytes), begin + (first + segment) * segmentBytes);
  if (read !== segmentBytes) throw damaged(file.name, endWithin(first + segment, count));
  verifyStored(stored, segment, kernel, address);
}

/** Verifies a segment in kernel memory. Throws a `format` error. */
export function verifyStored(
  { file, count, segmentBytes, checksums, first = 0 }: StoredSegments,
  segment: number,
  kernel: Kernel,
  address: number,
): void {
  if (checksums !== undefined && checksumAt(kernel, address, segmentBytes) !== checksums[first + segment])
    throw damaged(file.name, brokenSegment(first + segment, count));
}

/** The damage of a file that ends before its last segment. */
export function endWithin(segment: number, count: number): string {
  return `it ends within segment ${segment + 1} of ${count}`;
}

/** The damage of a file with a changed segment, and what still works. */
export function brokenSegment(segment: number, count: number): string {
  const rest = count === 1 ? '' : ', and query -e still works for keys of other segments';
  return `segment ${segment + 1} of ${count} does not match its checksum (header and table are intact${rest})`;
}
