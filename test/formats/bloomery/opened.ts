import { locatedFilter } from '../../../src/engine/store/load-segments.ts';
import type { LoadedSegments } from '../../../src/engine/store/loaded.ts';
import { descriptionOf, headerOf } from '../../../src/formats/bloomery/bloomery.ts';
import type { Header } from '../../../src/formats/bloomery/header.ts';
import { openFile } from '../../../src/formats/bloomery/reader.ts';
import type { SegmentedFile } from '../../../src/formats/format.ts';
import { openSource } from '../../../src/io/source.ts';
import type { Kernel } from '../../../src/kernel/kernel.ts';

/**
 * Opens a file of bloomery's own format as `openFilterFile` does, but accepts any shape. Tests are quick with many small
 * segments, which the program rejects.
 */
export async function openedFile(file: string, kernel?: Kernel): Promise<SegmentedFile> {
  const source = openSource(file, 'filter');
  return openFile(source, descriptionOf, kernel).catch((error: unknown) => {
    source.close();
    throw error;
  });
}

/** Reads the header of a file. */
export async function headerIn(file: string): Promise<Header> {
  const { description, close } = await openedFile(file);
  close();
  return headerOf(description);
}

/** Opens a filter in a file as `loadFilter` does, but accepts any shape. */
export async function openedFilter(kernel: Kernel, file: string, threadCount = 1): Promise<LoadedSegments> {
  const loaded = locatedFilter(kernel, await openedFile(file, kernel), threadCount, 'query');
  if (loaded === undefined) throw new Error(`${file} is no regular file`);
  return loaded;
}
