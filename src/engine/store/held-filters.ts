import { damaged } from '../../errors.ts';
import { checksumAt } from '../../formats/checksum.ts';
import type { FilterFile, SegmentedFile } from '../../formats/format.ts';
import { brokenSegment } from '../../formats/stored-segments.ts';
import { readAt } from '../../io/positioned.ts';
import { openTemporaryFile, type TemporaryFile, type TemporaryPlace } from '../../io/temporary-file.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import { segmented } from './merge.ts';

/** Filters of a pipe that wait in a temporary file until the filters after them have been read. */
export interface HeldFilters {
  /** Copies a filter with segments and reads it to its end. Other filters are returned unchanged. Throws `output` errors. */
  hold(file: FilterFile): Promise<FilterFile>;
  close(): void;
}

/** Bytes per write, unless a segment is larger. */
const WRITTEN_BYTES = 2 ** 20;

/** Holds filters at a place. Memory has the segments of one write, and a checksum per segment. */
export function createHeldFilters(kernel: Kernel, place: TemporaryPlace): HeldFilters {
  let buffer = { address: 0, bytes: 0 };
  let temporary: TemporaryFile | undefined;
  let size = 0;
  return {
    async hold(given) {
      const [file] = segmented(given);
      if (file === undefined) return given;
      temporary ??= openTemporaryFile('filters', place);
      const { segments } = file.description.shape;
      const bytes = segmentBytes(file.description.shape);
      const together = Math.min(segments, Math.max(1, Math.floor(WRITTEN_BYTES / bytes)));
      if (together * bytes > buffer.bytes)
        buffer = { address: kernel.reserve(together * bytes), bytes: together * bytes };
      const begin = size;
      const checksums: bigint[] = [];
      for (let from = 0; from < segments; from += together) {
        const count = Math.min(together, segments - from);
        for (let i = 0; i < count; i++) {
          const address = buffer.address + i * bytes;
          checksums.push((await file.readSegment(kernel, address)) ?? checksumAt(kernel, address, bytes));
        }
        temporary.append(kernel.bytes(buffer.address, count * bytes));
        size += count * bytes;
      }
      await file.finish(kernel);
      return heldFilter(file, temporary, begin, checksums);
    },
    close: () => temporary?.close(),
  };
}

/** A filter whose segments are in a temporary file from an offset on. */
function heldFilter(
  { name, description }: SegmentedFile,
  { fd }: TemporaryFile,
  begin: number,
  checksums: readonly bigint[],
): SegmentedFile {
  const bytes = segmentBytes(description.shape);
  const file = { name, content: 'filter', handle: fd, size: begin + checksums.length * bytes } as const;
  let next = 0;
  return {
    layout: 'segments',
    name,
    description,
    locate: () => undefined,
    async readSegment(kernel, address) {
      const segment = next++;
      readAt(file, kernel.bytes(address, bytes), begin + segment * bytes);
      const checksum = checksumAt(kernel, address, bytes);
      if (checksum !== checksums[segment]) throw damaged(name, brokenSegment(segment, checksums.length));
      return checksum;
    },
    finish: async () => undefined,
    close() {},
  };
}
