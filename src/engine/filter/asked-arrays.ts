import { rowsWith } from '../../filters/signatures.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Asked, SharedSignatures } from './asked-filter.ts';
import { pagesOf } from './flat-payload.ts';
import { openArrays, type SharedArrays } from './shared-arrays.ts';

/** A thread's access to arrays of bits, or to signatures. */
export function openAskedArrays(filter: SharedArrays | SharedSignatures, own: Kernel, threadIndex: number): Asked {
  if ('signatures' in filter) return openSignatures(filter, own);
  if (filter.isPartial) return { test: (_, { count }, hits) => own.bytes(hits, count).fill(1).length };
  const { test } = openArrays(filter, own, threadIndex);
  return { test: (_, digests, hits) => test(digests, hits) };
}

/** Reads all pages of arrays. */
export function readPages(filter: SharedArrays | SharedSignatures, own: Kernel): void {
  if ('signatures' in filter) return;
  const { arrays } = openArrays(filter, own, 0);
  for (const [i, { payload }] of filter.arrays.entries())
    for (let page = 0; page < pagesOf(payload.shape); page++) arrays[i]?.find(page);
}

/** A key may be present if any row has it. */
function openSignatures({ signatures }: SharedSignatures, own: Kernel): Asked {
  return {
    test(_, { address, count }, hits) {
      const hashes = new BigUint64Array(own.memory.buffer, address, count);
      const answers = own.bytes(hits, count);
      let found = 0;
      for (let i = 0; i < count; i++) {
        const isFound = rowsWith(signatures, Number(hashes[i])).next().done === true ? 0 : 1;
        answers[i] = isFound;
        found += isFound;
      }
      return found;
    },
  };
}
