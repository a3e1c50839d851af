import { describe, expect, test } from 'vitest';
import { countTogether, createDistinctCounter } from '../../src/engine/tasks/distinct-keys.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { createRandom, randomDigests, shuffled } from '../reference/random.ts';

const random = createRandom(5);
const LARGEST = 2n ** 64n - 1n;

/** The count after the batches. */
function counted(...batches: readonly BigUint64Array[]): number | undefined {
  const kernel = loadKernel();
  // An earlier owner has written all of the memory.
  const begin = kernel.reserve(0);
  kernel.bytes(kernel.reserve(2 ** 22), 2 ** 22).fill(0xff);
  kernel.release(begin);
  const counter = createDistinctCounter(kernel);
  for (const batch of batches) {
    const address = kernel.reserve(batch.byteLength);
    new BigUint64Array(kernel.memory.buffer, address, batch.length).set(batch);
    counter.note({ address, count: batch.length });
  }
  return countTogether(kernel, [counter.table()]);
}

describe('the count of distinct digests is exact', () => {
  test('for none, for the digest 0 and for the extremes', () => {
    expect(counted()).toBe(0);
    expect(counted(BigUint64Array.of(0n))).toBe(1);
    expect(counted(BigUint64Array.of(0n, 0n), BigUint64Array.of(0n))).toBe(1);
    expect(counted(BigUint64Array.of(0n, LARGEST, 2n, 2n ** 63n, 0n, 2n))).toBe(4);
  });

  test('with repetitions, in any order, over several batches', () => {
    const digests = randomDigests(random, 20_000);
    const repeated = shuffled(random, [...digests, ...digests.subarray(0, 7000), ...digests.subarray(0, 3000)]);
    const batch = BigUint64Array.from(repeated);
    expect(counted(batch)).toBe(20_000);
    expect(counted(batch.subarray(0, 9), batch.subarray(9, 16_000), batch.subarray(16_000), batch)).toBe(20_000);
  });

  test.each([2 ** 11 - 1, 2 ** 11, 2 ** 11 + 1, 2 ** 17 - 1, 2 ** 17])(
    'for %d, at once and one batch after the other',
    (count) => {
      const digests = randomDigests(random, count);
      const batches = Array.from({ length: 7 }, (_, i) => digests.subarray(i * (count >> 3), (i + 2) * (count >> 3)));
      expect(counted(digests)).toBe(count);
      expect(counted(...batches, digests.subarray(-9), digests)).toBe(count);
    },
  );

  test('and unknown from 2^17 + 1 on, in one batch or later', () => {
    const digests = randomDigests(random, 2 ** 17 + 1);
    expect(counted(digests)).toBeUndefined();
    expect(counted(digests.subarray(0, 5), digests.subarray(5), digests.subarray(0, 5))).toBeUndefined();
  });

  test('for digests with equal low bits, and with equal high bits', () => {
    expect(counted(BigUint64Array.from({ length: 2000 }, (_, i) => BigInt(i % 1000) << 40n))).toBe(1000);
    expect(counted(BigUint64Array.from({ length: 2000 }, (_, i) => (7n << 60n) + BigInt(i % 1000)))).toBe(1000);
  });

  test('for 100,000, and unknown for a million', () => {
    const digests = randomDigests(random, 1_000_000);
    expect(counted(digests.subarray(0, 50_000), digests.subarray(25_000, 100_000))).toBe(100_000);
    expect(counted(digests)).toBeUndefined();
  });
});
