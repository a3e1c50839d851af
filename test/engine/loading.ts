import { type LoadedFilter, loadOpened } from '../../src/engine/filter/loaded-filter.ts';
import type { FormatAbility } from '../../src/formats/format.ts';
import { openSegmentedFile } from '../../src/formats/open.ts';
import type { Kernel } from '../../src/kernel/kernel.ts';

/** Loads a filter that is made of segments, for so many threads. */
export async function loadFilter(
  kernel: Kernel,
  file: string,
  threadCount: number,
  use: FormatAbility,
): Promise<LoadedFilter> {
  return loadOpened(kernel, await openSegmentedFile(file, use, {}, kernel), threadCount, use);
}
