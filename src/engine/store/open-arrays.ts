import type { Kernel } from '../../kernel/kernel.ts';
import { type BitArray, batchesOf, createBitArray, mark } from './bit-array.ts';
import { ALL_KEYS } from './bit-array-memory.ts';
import type { ReadPage } from './bit-array-pages.ts';
import { BATCH, type BitArrayPayload, digestBytes } from './bit-array-payload.ts';
import { kernelsOf, type PagedMemory } from './paged-memory.ts';

/** An array, and how its pages are read. All arrays of a union get the same digests. */
export interface ArrayInMemory {
  readonly payload: BitArrayPayload;
  readonly read: ReadPage | undefined;
}

/** A thread's access to arrays, any of which may have a key. */
export interface OpenArrays {
  readonly arrays: readonly BitArray[];
  /** Tests digests as an array does. */
  test: BitArray['test'];
}

/** Queries the last array first, because it usually has most keys. The other arrays get only the keys that the last array does not have. */
export function openArraysInMemory(together: readonly ArrayInMemory[], own: Kernel, threadIndex: number): OpenArrays {
  const [first] = together;
  if (first === undefined) throw new Error('there is no array');
  // Arrays by which a filter grew have memories of their own.
  const kernels = new Map<PagedMemory['memories'], readonly Kernel[]>();
  const arrays = together.map(({ payload, read }) => {
    const at = kernels.get(payload.memories) ?? kernelsOf(payload);
    kernels.set(payload.memories, at);
    return createBitArray(payload, own, threadIndex, read, at);
  });
  const [only, ...others] = arrays;
  if (only !== undefined && others.length === 0) return { arrays, test: only.test };
  const lastFirst = arrays.toReversed();
  const absent = new Uint32Array(BATCH);
  return {
    arrays,
    test(digests, hits) {
      let found = 0;
      for (const { bytes, first: at, count } of batchesOf(own, digests, digestBytes(first.payload))) {
        const answers = own.bytes(hits + at, count).fill(0);
        let left: Uint32Array = ALL_KEYS.subarray(0, count);
        for (const array of lastFirst) {
          const keys = array.keep(bytes, left);
          mark(keys, answers);
          found += keys.length;
          left = absentOf(left, answers, absent);
        }
      }
      return found;
    },
  };
}

/** The keys with the answer 0, written to `absent`. `keys` may be a view of `absent`. */
function absentOf(keys: Uint32Array, answers: Uint8Array, absent: Uint32Array): Uint32Array {
  let count = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? 0;
    absent[count] = key;
    count += 1 - (answers[key] ?? 0);
  }
  return absent.subarray(0, count);
}
