import { onesOfRows } from '../../filters/signatures.ts';
import type { FlatFile, SignatureFile } from '../../formats/format.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { allOf } from '../../sizing/share.ts';
import type { ProgressObserver } from '../input/progress.ts';
import { loadInOrder } from './flat-in-order.ts';
import type { LoadedAsked } from './loaded-asked.ts';
import { createArrays, fillsOf, openArrays } from './shared-arrays.ts';

/** Signatures of rows, to be asked. */
export function loadSignatures({ name, description, signatures, close }: SignatureFile): LoadedAsked {
  const fills = () => [onesOfRows(signatures)];
  const nothing = { file: undefined, parts: [], unfiltered: [], verify: undefined };
  return { name, description, asked: { type: 'rows', range: allOf(1), signatures }, ...nothing, fills, close };
}

/** Arrays of bits, to be asked. Throws `input`, `format` and `memory` errors. */
export async function loadArrays(
  kernel: Kernel,
  opened: FlatFile,
  threadCount: number,
  observer: ProgressObserver,
): Promise<LoadedAsked> {
  const { name, description, arrays, unfiltered = [], close } = opened;
  try {
    const shared = createArrays(arrays, threadCount);
    const asked = unfiltered.length === 0 ? shared : { ...shared, isPartial: true as const };
    const file = arrays[0]?.stored?.file;
    if (opened.inOrder !== undefined) await loadInOrder(kernel, opened, opened.inOrder, shared, observer);
    const fills = () => fillsOf(openArrays(asked, kernel, 0).arrays, asked);
    const verify = opened.verified && (async () => void (opened.verified === 'read' && fills()));
    const parts = arrays.flatMap(({ part, parts: ranged }) => ranged ?? part ?? []);
    return { name, description, asked, file, parts, unfiltered, fills, verify, close };
  } catch (error) {
    close();
    throw error;
  }
}
