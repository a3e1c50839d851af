// Digests are divided among the parts of a filter, also if they are next to a boundary.

import { describe, expect, test } from 'vitest';
import { boundsOfParts } from '../../src/engine/make-digests.ts';
import { usedKernel } from './kernels.ts';

/** The digests that each part gets; a bucket has `capacity` digests. */
function divided(digests: BigUint64Array, bounds: BigUint64Array, capacity: number): bigint[][] {
  const { exports, memory, reserve } = usedKernel();
  const parts = bounds.length - 1;
  const [at, boundsAt] = [reserve(digests.byteLength), reserve(bounds.byteLength)];
  const [fillsAt, bucketsAt] = [reserve(4 * parts), reserve(8 * capacity * parts)];
  new BigUint64Array(memory.buffer, at, digests.length).set(digests);
  new BigUint64Array(memory.buffer, boundsAt, bounds.length).set(bounds);
  const fills = new Uint32Array(memory.buffer, fillsAt, parts);
  const got: bigint[][] = Array.from({ length: parts }, () => []);
  for (let next = 0; next < digests.length; ) {
    next = exports.divide(at, next, digests.length, parts, boundsAt, fillsAt, bucketsAt, capacity);
    if (next < digests.length) expect(fills[exports.fullBucket.value]).toBe(capacity);
    for (const [part, own] of got.entries()) {
      const first = bucketsAt + 8 * capacity * part;
      own.push(...new BigUint64Array(memory.buffer, first, fills[part]));
      fills[part] = 0;
    }
  }
  return got;
}

describe('at the boundaries of segments', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [7, 3],
    [10, 10],
    [1000, 7],
    [2 ** 21, 60],
    [2 ** 21 - 1, 61],
  ])('of %d, divided among %d parts', (segments, parts) => {
    const [all, count] = [BigInt(segments), BigInt(parts)];
    const firstSegments = Array.from({ length: parts }, (_, k) => (BigInt(k) * all) / count);
    const halves = firstSegments
      .map((segment) => (segment << 32n) / all)
      .flatMap((half) => [half - 1n, half, half + 1n, half + 2n])
      .filter((half) => half >= 0n && half < 2n ** 32n);
    const digests = BigUint64Array.from([...halves, 2n ** 32n - 1n], (half) => (half << 32n) | 77n);
    const segmentOf = (digest: bigint) => ((digest >> 32n) * all) >> 32n;
    const expected: bigint[][] = firstSegments.map(() => []);
    for (const digest of digests) {
      const segment = segmentOf(digest);
      const part = firstSegments.findLastIndex((first) => first <= segment);
      expected[part]?.push(digest);
    }
    for (const capacity of [1, 2, 5000])
      expect(divided(digests, boundsOfParts(segments, parts), capacity)).toEqual(expected);
  });
});

test('numbered digests are divided with the numbers of their records', () => {
  const { exports, memory, reserve } = usedKernel();
  const [parts, capacity, count, shift, later] = [3, 4, 60, 2 ** 32 - 7, 9];
  const digests = BigUint64Array.from(
    { length: count },
    (_, i) => ((BigInt(i * 70_000_003) << 32n) % 2n ** 64n) | BigInt(i),
  );
  const owners = Uint32Array.from({ length: count }, (_, i) => 5 * i);
  const bounds = boundsOfParts(7, parts);
  const [at, ownersAt, boundsAt] = [reserve(8 * count), reserve(4 * count), reserve(bounds.byteLength)];
  const [fillsAt, bucketsAt] = [reserve(4 * parts), reserve(12 * capacity * parts)];
  const [digestsTo, ownersTo] = [reserve(8 * capacity), reserve(4 * capacity)];
  new BigUint64Array(memory.buffer, at, count).set(digests);
  new Uint32Array(memory.buffer, ownersAt, count).set(owners);
  new BigUint64Array(memory.buffer, boundsAt, bounds.length).set(bounds);
  const fills = new Uint32Array(memory.buffer, fillsAt, parts);
  for (const isOwned of [true, false]) {
    const got = new Map<bigint, number>();
    fills.fill(0);
    for (let next = 0; next < count; ) {
      next = exports.divideOwned(
        ...([at, isOwned ? ownersAt : 0, 1000, shift, next, count] as const),
        ...([parts, boundsAt, fillsAt, bucketsAt, capacity] as const),
      );
      for (const [part, held] of fills.entries()) {
        const bucket = bucketsAt + 12 * capacity * part;
        exports.shiftOwners(bucket, held, later);
        exports.splitEntries(bucket, held, digestsTo, ownersTo);
        const numbers = new Uint32Array(memory.buffer, ownersTo, held);
        for (const [i, digest] of new BigUint64Array(memory.buffer, digestsTo, held).entries()) {
          expect(digest >> 32n >= (bounds[part] ?? 0n) && digest >> 32n < (bounds[part + 1] ?? 0n)).toBe(true);
          got.set(digest, numbers[i] ?? 0);
        }
        fills[part] = 0;
      }
    }
    // The shifts add up to 2, modulo 2^32.
    expect(got).toEqual(new Map([...digests].map((digest, i) => [digest, (isOwned ? 5 * i : 1000 + i) + 2])));
  }
});
