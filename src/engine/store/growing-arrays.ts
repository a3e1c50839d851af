import type { FlatGrowth } from '../../formats/flat-draft.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Digests } from '../input/digests.ts';
import { batchesOf, createFlatArray, type FlatArray } from './flat-array.ts';
import { ALL_KEYS } from './flat-memory.ts';
import { digestBytes } from './flat-payload.ts';
import { createArrays, openArrays, type SharedArrays } from './shared-arrays.ts';

/** Arrays of which the last takes keys that none has, until it is full and another follows it. */
export interface GrowingArrays {
  add(digests: Digests): void;
  /** Keys that were new to each array. */
  changes(): readonly number[];
  /** What has become of the filter. */
  filter(): SharedArrays;
}

/** Lets a filter of arrays grow. One thread does it: which keys are new, and in which array they are, depends on their order. */
export function createGrowingArrays(kernel: Kernel, begun: SharedArrays, growth: FlatGrowth): GrowingArrays {
  const [first] = begun.arrays;
  if (first === undefined) throw new Error('there is no array');
  const bytesEach = digestBytes(first.payload);
  let filter = begun;
  let arrays: readonly FlatArray[] = openArrays(begun, kernel, 0).arrays;
  let { room } = growth;
  const changes = arrays.map(() => 0);

  const lengthen = () => {
    const next = growth.next(arrays.length);
    const created = createArrays([next], 1);
    filter = { ...filter, arrays: [...filter.arrays, ...created.arrays] };
    arrays = [...arrays, ...created.arrays.map(({ payload }) => createFlatArray(payload, kernel, 0))];
    room = next.room;
    changes.push(0);
  };
  const withoutThoseIn = (array: FlatArray, digests: Uint8Array, keys: Uint32Array): Uint32Array => {
    const found = new Set(array.keep(digests, keys));
    return found.size === 0 ? keys : keys.filter((key) => !found.has(key));
  };
  /** Adds those keys of a batch, which are indices of digests, that no array has. */
  const addNew = (digests: Uint8Array, all: Uint32Array) => {
    let left = all;
    for (const array of arrays.slice(0, -1)) left = withoutThoseIn(array, digests, left);
    while (left.length > 0) {
      const last = arrays.at(-1);
      if (last === undefined) throw new Error('there is no array');
      if (room === 0) {
        left = withoutThoseIn(last, digests, left);
        if (left.length > 0) lengthen();
        continue;
      }
      const some = left.subarray(0, room);
      const added = last.addBatch(gathered(digests, bytesEach, some), some.length);
      room -= added;
      changes[changes.length - 1] = (changes.at(-1) ?? 0) + added;
      left = left.subarray(some.length);
    }
  };
  return {
    add(digests) {
      for (const { bytes, count } of batchesOf(kernel, digests, bytesEach)) addNew(bytes, ALL_KEYS.slice(0, count));
    },
    changes: () => changes,
    filter: () => filter,
  };
}

/** The digests of some keys, one after the other. */
function gathered(digests: Uint8Array, bytesEach: number, keys: Uint32Array): Uint8Array {
  const some = new Uint8Array(bytesEach * keys.length);
  for (const [i, key] of keys.entries())
    some.set(digests.subarray(bytesEach * key, bytesEach * (key + 1)), bytesEach * i);
  return some;
}
