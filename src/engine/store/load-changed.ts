import { BloomError } from '../../errors.ts';
import { because } from '../../formats/fixed.ts';
import type { BitArrayFile } from '../../formats/format.ts';
import { openFilterFile } from '../../formats/open.ts';
import type { Opening } from '../../formats/opening.ts';
import type { openSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { fillableArrays, fillableSegments } from './fillable.ts';
import { loadedArrays } from './load-arrays.ts';
import { loadInOrder } from './load-in-order.ts';
import { loadSegments } from './load-segments.ts';
import type { ChangeableFilter } from './loaded.ts';
import { requireMemory } from './payload.ts';
import { createArrays } from './shared-arrays.ts';

/**
 * Loads a filter of any format so that `threadCount` threads can change it. If the file is regular, only its header is read now, and the
 * rest when it is needed. `open` replaces the function that opens the file. Throws `input`, `format` and `memory` errors.
 */
export async function loadChanged(
  kernel: Kernel,
  file: string,
  threadCount: number,
  opening: Opening = {},
  open?: typeof openSource,
): Promise<ChangeableFilter> {
  const opened = await openFilterFile(file, 'change', opening, kernel, open);
  if (opened.layout === 'segments') {
    const loaded = await loadSegments(kernel, opened, threadCount, 'change');
    const { kind, shape } = loaded.description;
    const fillable = () => {
      requireMemory(shape, kind);
      return fillableSegments(kind, loaded.store);
    };
    return { ...loaded, fillable };
  }
  if (opened.layout === 'signatures') throw new Error(`${opened.name} cannot be changed`);
  try {
    return await loadChangedArrays(kernel, opened, threadCount);
  } catch (error) {
    opened.close();
    throw error;
  }
}

async function loadChangedArrays(kernel: Kernel, opened: BitArrayFile, threadCount: number): Promise<ChangeableFilter> {
  const { name, description, arrays, inOrder, blueprint } = opened;
  const isReadable = inOrder === undefined || inOrder.areInMemory;
  if (blueprint === undefined || !isReadable) {
    const isCompressed = blueprint !== undefined;
    throw new BloomError(
      'format',
      `${name} is a filter of ${description.format.system} that cannot be changed in place${because(opened)}`,
      isCompressed
        ? 'decompress it first, or build a filter of all keys'
        : 'build a filter of all keys with bloom build',
    );
  }
  const placed = blueprint.arrays.map(({ shape }, i) => ({ shape, stored: arrays[i]?.stored }));
  const shared = createArrays(placed, blueprint.growth === undefined ? threadCount : 1);
  if (inOrder !== undefined) await loadInOrder(kernel, opened, inOrder, shared);
  const fillable = (threads: number) => {
    requireMemory(description.shape);
    return fillableArrays(blueprint, threads, shared);
  };
  return { ...loadedArrays(kernel, opened, shared), fillable };
}
