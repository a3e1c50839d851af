import { onesOfRows } from '../../filters/signatures.ts';
import type { BitArrayFile, SignatureFile } from '../../formats/format.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { allOf } from '../../sizing/share.ts';
import type { ProgressObserver } from '../input/progress.ts';
import { loadInOrder } from './load-in-order.ts';
import type { LoadedFilter } from './loaded.ts';
import { createArrays, fillsOf, openArrays, type SharedArrays } from './shared-arrays.ts';

/** Loads signatures of rows for queries. */
export function loadSignatures({ name, description, signatures, close }: SignatureFile): LoadedFilter {
  const { blocks, numbers } = signatures;
  return {
    ...{ name, description, close },
    store: { type: 'rows', range: allOf(1), signatures },
    ...{ segments: undefined, file: undefined, parts: [], unfiltered: [], verify: undefined },
    labelOf: (row) => ({ label: `(${blocks[row]},${numbers[row]})` }),
    fills: () => [onesOfRows(signatures)],
  };
}

/** Loads bit arrays for queries. Throws `input`, `format` and `memory` errors. */
export async function loadArrays(
  kernel: Kernel,
  opened: BitArrayFile,
  threadCount: number,
  observer: ProgressObserver,
): Promise<LoadedFilter> {
  const { arrays, inOrder, unfiltered = [], countBytes, close } = opened;
  try {
    const shared = createArrays(arrays, threadCount);
    if (inOrder !== undefined) await loadInOrder(kernel, opened, inOrder, shared, observer);
    const bytes = await countBytes?.();
    const description = bytes === undefined ? opened.description : { ...opened.description, bytes };
    return loadedArrays(
      kernel,
      { ...opened, description },
      unfiltered.length === 0 ? shared : { ...shared, isPartial: true },
    );
  } catch (error) {
    close();
    throw error;
  }
}

/** The arrays of a file, which were loaded or are loaded page by page. */
export function loadedArrays(
  kernel: Kernel,
  { name, description, arrays, verified, unfiltered = [], close }: BitArrayFile,
  store: SharedArrays,
): LoadedFilter {
  const fills = () => fillsOf(openArrays(store, kernel, 0).arrays, store);
  const parts = arrays.flatMap(({ part, parts: ranged }) => ranged ?? part ?? []);
  return {
    ...{ name, description, store, segments: undefined, parts, unfiltered, fills, close },
    file: arrays[0]?.stored?.file,
    labelOf: parts.length === 0 ? undefined : (part) => parts[part],
    verify: verified && (async () => void (verified === 'read' && fills())),
  };
}
