import type { LoadedFilter } from '../../../src/engine/filter/loaded-filter.ts';
import { createPayload } from '../../../src/engine/filter/payload.ts';
import { closeStore, openStore } from '../../../src/formats/bloomery/store.ts';
import type { Kernel } from '../../../src/kernel/kernel.ts';

/**
 * Opens a filter in a file as `loadFilter` does, whatever its shape: many small segments, which the program refuses, make tests
 * quick.
 */
export async function openedFilter(kernel: Kernel, file: string, threadCount = 1): Promise<LoadedFilter> {
  const store = await openStore(kernel, file, () => {});
  if (store === undefined) throw new Error(`${file} is no regular file`);
  const { header, fill } = store;
  const payload = createPayload(header, threadCount);
  return { name: file, header, kind: header.kind, fill, payload, store, close: () => closeStore(store) };
}
