import { rowsWith } from '../../filters/signatures.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { BitArray } from './bit-array.ts';
import { ALL_KEYS } from './bit-array-memory.ts';
import { BATCH, digestBytes, pagesOf } from './bit-array-payload.ts';
import { openArrays, type SharedArrays, type SharedRows } from './shared-arrays.ts';
import type { OpenStore } from './store-access.ts';

/** A thread's access to bit arrays. */
export function openArrayStore(filter: SharedArrays, own: Kernel, threadIndex: number): OpenStore {
  const { arrays, test } = openArrays(filter, own, threadIndex);
  const [first] = filter.arrays;
  if (first === undefined) throw new Error('there is no array');
  const bytesEach = digestBytes(first.payload);
  const { parts } = first.payload.shape;
  return {
    test: filter.isPartial
      ? (_, { count }, hits) => own.bytes(hits, count).fill(1).length
      : (_, ...what) => test(...what),
    readAll() {
      for (const [i, { payload }] of filter.arrays.entries())
        for (let page = 0; page < pagesOf(payload.shape); page++) arrays[i]?.find(page);
    },
    *findParts(digests, count) {
      if (parts === undefined) {
        for (const [part, array] of arrays.entries())
          for (const key of keptBy(array, digests, bytesEach, count)) yield { part, key };
        return;
      }
      const words = new DataView(digests.buffer, digests.byteOffset);
      const numbers = new Map(parts.map(({ first }, part) => [first, part]));
      for (const array of arrays)
        for (const key of keptBy(array, digests, bytesEach, count)) {
          const part = numbers.get(Number(words.getBigUint64(bytesEach * key + FIRST_BIT_AT, true)));
          if (part !== undefined) yield { part, key };
        }
    },
  };
}

/** Offset of the part's first bit in such a digest (src/kernel/assembly/systems/key-ranges.ts). */
const FIRST_BIT_AT = 8;

/** The keys, as indices of digests, that may be in an array. */
function* keptBy({ keep }: BitArray, digests: Uint8Array, bytesEach: number, count: number): Generator<number> {
  for (let first = 0; first < count; first += BATCH) {
    const some = Math.min(BATCH, count - first);
    const batch = digests.subarray(bytesEach * first, bytesEach * (first + some));
    for (const key of keep(batch, ALL_KEYS.subarray(0, some)).slice()) yield first + key;
  }
}

/** A thread's access to signatures of rows. A key may be present if any row has it. */
export function openRowStore({ signatures }: SharedRows, own: Kernel): OpenStore {
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
    readAll() {},
    *findParts(digests, count) {
      const hashes = new DataView(digests.buffer, digests.byteOffset);
      for (let key = 0; key < count; key++)
        for (const part of rowsWith(signatures, hashes.getUint32(8 * key, true))) yield { part, key };
    },
  };
}
