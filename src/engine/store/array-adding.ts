import type { ArrayGrowth } from '../../formats/array-blueprint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Digests } from '../input/digests.ts';
import { type BitArray, batchesOf, createBitArray } from './bit-array.ts';
import { ALL_KEYS } from './bit-array-memory.ts';
import { digestBytes } from './bit-array-payload.ts';
import { createArrays, openArrays, type SharedArrays } from './shared-arrays.ts';
import type { Adding } from './store-access.ts';

/** A thread's access to arrays, to add digests: to the only array, or to the last of the arrays that grow. */
export function openArrayAdding(
  filter: SharedArrays,
  own: Kernel,
  threadIndex: number,
  growth: ArrayGrowth | undefined,
): Adding<SharedArrays> {
  const { add, changes, grown } =
    growth === undefined ? openOnly(filter, own, threadIndex) : createGrowingArrays(own, filter, growth);
  return { take: add, takeLast: add, refused: () => 0, changes, grown };
}

interface AddingArrays extends Pick<Adding<SharedArrays>, 'changes' | 'grown'> {
  add(digests: Digests): void;
}

function openOnly(filter: SharedArrays, own: Kernel, threadIndex: number): AddingArrays {
  const [array, ...others] = openArrays(filter, own, threadIndex).arrays;
  if (array === undefined || others.length > 0) throw new Error('nobody knows to which array keys are added');
  let changes = 0;
  return {
    add(digests) {
      changes += array.add(digests);
    },
    changes: () => [changes],
    grown: () => undefined,
  };
}

/**
 * Lets a filter of arrays grow. The last array gets the keys that no array has; when it is full, another array follows. One thread does
 * this: the order of the keys decides which keys are new, and in which array they are.
 */
function createGrowingArrays(kernel: Kernel, begun: SharedArrays, growth: ArrayGrowth): AddingArrays {
  const [first] = begun.arrays;
  if (first === undefined) throw new Error('there is no array');
  const bytesEach = digestBytes(first.payload);
  let filter = begun;
  let arrays: readonly BitArray[] = openArrays(begun, kernel, 0).arrays;
  let { remaining } = growth;
  const changes = arrays.map(() => 0);

  const lengthen = () => {
    const next = growth.next(arrays.length);
    const created = createArrays([next], 1);
    filter = { ...filter, arrays: [...filter.arrays, ...created.arrays] };
    arrays = [...arrays, ...created.arrays.map(({ payload }) => createBitArray(payload, kernel, 0))];
    remaining = next.capacity;
    changes.push(0);
  };
  const withoutThoseIn = (array: BitArray, digests: Uint8Array, keys: Uint32Array): Uint32Array => {
    const found = new Set(array.keep(digests, keys));
    return found.size === 0 ? keys : keys.filter((key) => !found.has(key));
  };
  /** Adds the keys of a batch that no array has. Keys are indices of digests. */
  const addNew = (digests: Uint8Array, all: Uint32Array) => {
    let left = all;
    for (const array of arrays.slice(0, -1)) left = withoutThoseIn(array, digests, left);
    while (left.length > 0) {
      const last = arrays.at(-1);
      if (last === undefined) throw new Error('there is no array');
      if (remaining === 0) {
        left = withoutThoseIn(last, digests, left);
        if (left.length > 0) lengthen();
        continue;
      }
      const some = left.subarray(0, remaining);
      const added = last.addBatch(gathered(digests, bytesEach, some), some.length);
      remaining -= added;
      changes[changes.length - 1] = (changes.at(-1) ?? 0) + added;
      left = left.subarray(some.length);
    }
  };
  return {
    add(digests) {
      for (const { bytes, count } of batchesOf(kernel, digests, bytesEach)) addNew(bytes, ALL_KEYS.slice(0, count));
    },
    changes: () => changes,
    grown: () => filter,
  };
}

/** The digests of some keys, in their order. */
function gathered(digests: Uint8Array, bytesEach: number, keys: Uint32Array): Uint8Array {
  const some = new Uint8Array(bytesEach * keys.length);
  for (const [i, key] of keys.entries())
    some.set(digests.subarray(bytesEach * key, bytesEach * (key + 1)), bytesEach * i);
  return some;
}
