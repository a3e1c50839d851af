// The counts of several threads, merged.

import { describe, expect, test } from 'vitest';
import {
  countTogether,
  createDistinctCounter,
  createSketch,
  estimateTogether,
} from '../../../src/engine/tasks/distinct-keys.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { below, createRandom, randomDigests } from '../../reference/random.ts';

const random = createRandom(9);

/** The tables and sketches of threads, each with its part of the digests. */
function noted(parts: readonly BigUint64Array[]) {
  return parts.map((part) => {
    const kernel = loadKernel();
    const [counter, sketch] = [createDistinctCounter(kernel), createSketch(kernel)];
    const address = kernel.reserve(part.byteLength);
    new BigUint64Array(kernel.memory.buffer, address, part.length).set(part);
    counter.note({ address, count: part.length });
    sketch.note({ address, count: part.length, owners: 0, firstOwner: 0 });
    return { table: counter.table(), registers: sketch.registers() };
  });
}

const counted = (parts: readonly BigUint64Array[]) =>
  countTogether(
    loadKernel(),
    noted(parts).map(({ table }) => table),
  );

/** Parts of some digests. Each digest is drawn many times. */
function drawn(distinct: number, lengths: readonly number[]): BigUint64Array[] {
  const digests = randomDigests(random, distinct);
  return lengths.map((length) => BigUint64Array.from({ length }, () => digests[below(random, distinct)] ?? 0n));
}

describe('distinct digests of several threads', () => {
  test.each([
    [10, [5, 5]],
    [500, [2000, 0, 300]],
    [5000, [2000, 9000, 300]],
    [50_000, [40_000, 40_000, 1, 30_000]],
    [3, [0, 0, 0]],
  ])('of %d that are drawn %j times are counted as a set counts them', (distinct, lengths) => {
    const parts = drawn(distinct, lengths);
    expect(counted(parts)).toBe(new Set(parts.flatMap((part) => [...part])).size);
  });

  test('are exact up to the size of the table, or unknown', () => {
    const limit = 2 ** 17;
    const digests = randomDigests(random, limit + 1);
    const halves = [digests.subarray(0, 70_000), digests.subarray(60_000, limit)];
    expect(counted(halves)).toBe(limit);
    expect(counted([...halves, digests.subarray(limit)])).toBeUndefined();
  });

  test('are unknown if one thread does not know', () => {
    const many = randomDigests(random, 140_000);
    const few = many.subarray(0, 10);
    expect(counted([many, few])).toBeUndefined();
    expect(counted([few, many])).toBeUndefined();
    expect(counted([few, many, few])).toBeUndefined();
  });

  test.each([1000, 300_000])('%d of them are estimated as if one thread had seen all', (count) => {
    const digests = randomDigests(random, count);
    const parts = [0, 1, 2].map((part) => digests.filter((_, i) => i % 3 === part || i % 5 === part));
    const [alone] = noted([digests]);
    const together = estimateTogether(noted(parts).map(({ registers }) => registers));
    expect(together).toEqual(estimateTogether(alone === undefined ? [] : [alone.registers]));
    expect(Math.abs(together.count - count)).toBeLessThan(5 * together.error);
  });
});
