import { BloomError } from '../../errors.ts';
import { because } from '../../formats/fixed.ts';
import type { FlatFile } from '../../formats/format.ts';
import { openFilterFile } from '../../formats/open.ts';
import type { Opening } from '../../formats/opening.ts';
import type { openSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { loadInOrder } from './flat-in-order.ts';
import { type LoadedArrays, type LoadedFilter, loadOpened } from './loaded-filter.ts';
import { createArrays } from './shared-arrays.ts';

/**
 * Loads a filter of any format, to be changed by so many threads: of a regular file only what it says of itself, the rest when
 * it is wanted; `open` is how its bytes are read. Throws `input`, `format` and `memory` errors.
 */
export async function loadChanged(
  kernel: Kernel,
  file: string,
  threadCount: number,
  opening: Opening = {},
  open?: typeof openSource,
): Promise<LoadedFilter | LoadedArrays> {
  const opened = await openFilterFile(file, 'change', opening, kernel, open);
  if (opened.layout === 'segments') return loadOpened(kernel, opened, threadCount, 'change');
  if (opened.layout === 'signatures') throw new Error(`${opened.name} cannot be changed`);
  try {
    return await loadedArrays(kernel, opened, threadCount);
  } catch (error) {
    opened.close();
    throw error;
  }
}

async function loadedArrays(kernel: Kernel, opened: FlatFile, threadCount: number): Promise<LoadedArrays> {
  const { name, description, arrays, inOrder, draft, close } = opened;
  const isReadable = inOrder === undefined || inOrder.areInMemory;
  if (draft === undefined || !isReadable) {
    const isCompressed = draft !== undefined;
    throw new BloomError(
      'format',
      `${name} is not one of the filters of ${description.format.system} that can be changed where they lie${because(opened)}`,
      isCompressed ? 'decompress it first, or build one of all the keys' : 'build one of all the keys',
    );
  }
  const placed = draft.arrays.map(({ shape }, i) => ({ shape, stored: arrays[i]?.stored }));
  const shared = createArrays(placed, draft.growth === undefined ? threadCount : 1);
  if (inOrder !== undefined) await loadInOrder(kernel, opened, inOrder, shared);
  return { name, description, draft, shared, close };
}
