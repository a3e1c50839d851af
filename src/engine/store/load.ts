import type { FilterFile } from '../../formats/format.ts';
import { openEachFilter, openFilterFile } from '../../formats/open.ts';
import type { Opening } from '../../formats/opening.ts';
import type { openSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ProgressObserver } from '../input/progress.ts';
import { loadSegments } from './load-segments.ts';
import type { LoadedFilter } from './loaded.ts';

/** How a filter is loaded: the number of threads, the use, and the statements of the command line about the file. */
export interface Loading {
  readonly threadCount: number;
  readonly use: 'query' | 'report';
  readonly opening?: Opening;
  readonly observer?: ProgressObserver;
  /** Replaces the function that opens the file by its name. */
  readonly open?: typeof openSource;
}

/** Loads a filter of any format, as `loadSegments` does. Throws `input`, `format` and `memory` errors. */
export async function loadFilter(kernel: Kernel, file: string, loading: Loading): Promise<LoadedFilter> {
  const { use, opening, open } = loading;
  return loadFile(kernel, await openFilterFile(file, use, opening, kernel, open), loading);
}

/**
 * Loads the filters of a file one after the other: one per column, if the file has filters of several columns and none was selected. Closes
 * the files at the end.
 */
export async function* loadEach(kernel: Kernel, file: string, loading: Loading): AsyncGenerator<LoadedFilter> {
  const { use, opening, open } = loading;
  const files = await openEachFilter(file, use, opening, kernel, open);
  try {
    for (const opened of files) yield await loadFile(kernel, { ...opened, close: () => {} }, loading);
  } finally {
    for (const { close } of files) close();
  }
}

async function loadFile(kernel: Kernel, opened: FilterFile, loading: Loading): Promise<LoadedFilter> {
  const { threadCount, use, observer = {} } = loading;
  if (opened.layout === 'segments') return loadSegments(kernel, opened, threadCount, use, observer);
  const { loadArrays, loadSignatures } = await import('./load-arrays.ts');
  return opened.layout === 'arrays' ? loadArrays(kernel, opened, threadCount, observer) : loadSignatures(opened);
}
