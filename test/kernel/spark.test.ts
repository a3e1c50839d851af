// The hash of Spark, for single keys and for keys next to others of the same length.

import { expect, test } from 'vitest';
import { sparkMurmur3 } from '../reference/formats/spark.ts';
import { below, createRandom } from '../reference/random.ts';
import { usedKernel } from './kernels.ts';

/** Both hashes of keys, which follow each other in memory. */
function digestsOf(keys: readonly Uint8Array[], seed: bigint): bigint[] {
  const kernel = usedKernel();
  const { reserve, memory, exports } = kernel;
  const [spans, digests, parameters] = [reserve(8 * keys.length), reserve(8 * keys.length), reserve(8)];
  let at = reserve(keys.reduce((sum, { length }) => sum + length, 0));
  for (const [i, key] of keys.entries()) {
    kernel.bytes(at, key.length).set(key);
    new Uint32Array(memory.buffer, spans + 8 * i, 2).set([at, key.length]);
    at += key.length;
  }
  new BigUint64Array(memory.buffer, parameters, 1)[0] = seed;
  exports.sparkHash(spans, keys.length, digests, parameters);
  return [...new BigUint64Array(memory.buffer, digests, keys.length)];
}

const random = createRandom(7);
const keyOf = (length: number) => Uint8Array.from({ length }, () => below(random, 256));

function expectedOf(key: Uint8Array, seed: bigint): bigint {
  const first = sparkMurmur3(key, seed);
  return first | (sparkMurmur3(key, first) << 32n);
}

test.each([0n, 2n ** 64n - 77n])('of seed %d: any lengths, alone and four at a time', (seed) => {
  const same = Array.from({ length: 40 }, (_, length) => Array.from({ length: length % 11 }, () => keyOf(length)));
  const mixed = Array.from({ length: 300 }, () => keyOf(below(random, 3)));
  const keys = [...same.flat(), ...mixed];
  expect(digestsOf(keys, seed)).toEqual(keys.map((key) => expectedOf(key, seed)));
});
