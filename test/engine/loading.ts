import { loadSegments } from '../../src/engine/store/load-segments.ts';
import type { LoadedSegments } from '../../src/engine/store/loaded.ts';
import type { SegmentedFile } from '../../src/formats/format.ts';
import type { FormatAbility } from '../../src/formats/mark.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import type { Kernel } from '../../src/kernel/kernel.ts';

/** Opens a filter of segments. */
export async function openSegmentedFile(...opening: Parameters<typeof openFilterFile>): Promise<SegmentedFile> {
  const file = await openFilterFile(...opening);
  if (file.layout === 'segments') return file;
  throw new Error(`${file.name} has no segments`);
}

/** Loads a filter of segments, for a number of threads. */
export async function loadFilter(
  kernel: Kernel,
  file: string,
  threadCount: number,
  use: FormatAbility,
): Promise<LoadedSegments> {
  return loadSegments(kernel, await openSegmentedFile(file, use, {}, kernel), threadCount, use);
}
