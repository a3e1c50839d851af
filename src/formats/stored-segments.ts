import { damaged } from '../errors.ts';
import { type PositionedFile, readAt } from '../io/positioned.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { checksumAt } from './checksum.ts';

/** The segments of a regular file, which any thread reads when it wants them; threads hand them to each other as a message. */
export interface StoredSegments {
  readonly file: PositionedFile;
  /** Where the first begins; the others follow it. */
  readonly begin: number;
  readonly count: number;
  readonly segmentBytes: number;
  /** XXH64, seed 0, of each; undefined where the file has no checksums. */
  readonly checksums: BigUint64Array | undefined;
}

/** Reads a segment, counted from 0, to an address in a kernel's memory and verifies it. Throws `input` and `format` errors. */
export function readStored(stored: StoredSegments, segment: number, kernel: Kernel, address: number): void {
  const { file, begin, count, segmentBytes } = stored;
  const read = readAt(file, kernel.bytes(address, segmentBytes), begin + segment * segmentBytes);
  if (read !== segmentBytes) throw damaged(file.name, endWithin(segment, count));
  verifyStored(stored, segment, kernel, address);
}

/** Verifies a segment that was read to an address in a kernel's memory. Throws a `format` error. */
export function verifyStored(
  { file, count, segmentBytes, checksums }: StoredSegments,
  segment: number,
  kernel: Kernel,
  address: number,
): void {
  if (checksums !== undefined && checksumAt(kernel, address, segmentBytes) !== checksums[segment])
    throw damaged(file.name, brokenSegment(segment, count));
}

/** What is wrong with a file that is shorter than its segments. */
export function endWithin(segment: number, count: number): string {
  return `it ends within segment ${segment + 1} of ${count}`;
}

/** What is wrong with a file one of whose segments is not what it was, and what still holds. */
export function brokenSegment(segment: number, count: number): string {
  const rest = count === 1 ? '' : ', and query -e still answers about keys of other segments';
  return `segment ${segment + 1} of ${count} does not match its checksum (header and table are whole${rest})`;
}
