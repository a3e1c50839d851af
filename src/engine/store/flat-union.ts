import type { Kernel } from '../../kernel/kernel.ts';
import { batchesOf, createFlatArray, type FlatArray, mark } from './flat-array.ts';
import { ALL_KEYS } from './flat-memory.ts';
import type { ReadPage } from './flat-pages.ts';
import { BATCH, digestBytes, type FlatPayload } from './flat-payload.ts';
import { kernelsOf, type PagedMemory } from './paged-memory.ts';

/** Arrays that share memories, and how each reads its pages; all take the same digests. */
export interface ArrayInMemory {
  readonly payload: FlatPayload;
  readonly read: ReadPage | undefined;
}

/** A thread's access to arrays, any of which may have a key. */
export interface OpenArrays {
  readonly arrays: readonly FlatArray[];
  /** Tests digests as an array does. */
  test: FlatArray['test'];
}

/** The last array, which as a rule has most of the keys, is asked first, and the others about what it has not. */
export function createFlatUnion(united: readonly ArrayInMemory[], own: Kernel, threadIndex: number): OpenArrays {
  const [first] = united;
  if (first === undefined) throw new Error('there is no array');
  // Those that a filter has grown by have memories of their own.
  const kernels = new Map<PagedMemory['memories'], readonly Kernel[]>();
  const arrays = united.map(({ payload, read }) => {
    const at = kernels.get(payload.memories) ?? kernelsOf(payload);
    kernels.set(payload.memories, at);
    return createFlatArray(payload, own, threadIndex, read, at);
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

/** Those keys, put into `absent`, whose answer is 0. They may be there already. */
function absentOf(keys: Uint32Array, answers: Uint8Array, absent: Uint32Array): Uint32Array {
  let count = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? 0;
    absent[count] = key;
    count += 1 - (answers[key] ?? 0);
  }
  return absent.subarray(0, count);
}
