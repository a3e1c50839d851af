// The heads and the dumps of RedisBloom's cuckoo filters, after cuckoo.c and CFRdbSave of rebloom.c.

import { describe, expect, test } from 'vitest';
import { decodeCuckoo } from '../../src/formats/redisbloom/cuckoo-dump.ts';
import { lengthsOf } from '../../src/formats/redisbloom/cuckoo-head.ts';
import { stringBefore, wholeValue } from '../../src/formats/redisbloom/values.ts';

describe('cuckoo filters', () => {
  const head = (changed: {
    items?: bigint;
    buckets?: bigint;
    removals?: bigint;
    filters?: bigint;
    slots?: number;
    expansion?: number;
  }) => {
    const { items = 0n, buckets = 8n, removals = 0n, filters = 1n, slots = 2, expansion = 1 } = changed;
    const view = new DataView(new ArrayBuffer(38));
    for (const [i, value] of [items, buckets, removals, filters].entries()) view.setBigUint64(8 * i, value, true);
    view.setUint16(32, slots, true);
    view.setUint16(34, 500, true);
    view.setUint16(36, expansion, true);
    return view;
  };

  test.each([
    ['of one array', {}, [16]],
    ['that grows by 3', { filters: 4n, expansion: 3 }, [16, 48, 144, 432]],
    ['with as many keys as slots', { items: 16n }, [16]],
    ['with more keys than slots', { items: 17n }, undefined],
    ['with keys for all arrays', { items: 64n, filters: 2n, expansion: 3 }, [16, 48]],
    ['without buckets', { buckets: 0n }, undefined],
    ['with 6 buckets', { buckets: 6n }, undefined],
    ['with one bucket', { buckets: 1n }, [2]],
    ['without arrays', { filters: 0n }, undefined],
    ['with 1,025 arrays', { filters: 1025n }, undefined],
    ['without slots', { slots: 0 }, undefined],
    ['with 2^48 removals', { removals: 2n ** 48n }, [16]],
    ['with more removals', { removals: 2n ** 48n + 1n }, undefined],
    ['of 2^40 slots', { buckets: 2n ** 39n }, [2 ** 40]],
    ['of 2^41 slots', { buckets: 2n ** 40n }, undefined],
    ['whose second array has none', { filters: 2n, expansion: 0 }, undefined],
    ['whose second array is too large', { filters: 2n, buckets: 2n ** 38n, expansion: 4 }, undefined],
  ])('%s', (_, changed, expected) => expect(lengthsOf(head(changed))).toEqual(expected));

  test('have 1,024 arrays at most', () => expect(lengthsOf(head({ filters: 1024n }))).toHaveLength(1024));

  const values = (numbers: readonly number[], arrays: readonly (readonly [buckets: number, slots: number])[]) =>
    Buffer.concat([
      ...numbers.map((number) => Buffer.from(wholeValue(number))),
      ...arrays.flatMap(([buckets, slots]) => [
        wholeValue(buckets),
        stringBefore(slots),
        new Uint8Array(slots).fill(buckets),
      ]),
      Buffer.of(0),
    ]);

  test('have the values of the model', () => {
    // Arrays, buckets, items, removals, slots per bucket, iterations, growth.
    const found = decodeCuckoo(
      values(
        [2, 4, 7, 1, 3, 20, 2],
        [
          [4, 12],
          [8, 24],
        ],
      ),
      4,
      'x',
    );
    expect({ ...found, arrays: found.arrays.map((one) => [...one]) }).toEqual({
      items: 7n,
      bucketSlots: 3,
      arrays: [Array(12).fill(4), Array(24).fill(8)],
    });
  });

  test.each([
    ['without arrays', values([0, 4, 7, 1, 3, 20, 2], []), 'it states 0 arrays and 3 slots per bucket'],
    ['with 1,025 arrays', values([1025, 4, 7, 1, 3, 20, 2], []), 'it states 1025 arrays and 3 slots per bucket'],
    ['without slots', values([1, 4, 7, 1, 0, 20, 2], [[4, 0]]), 'it states 1 array and 0 slots per bucket'],
    ['with 256 slots in a bucket', values([1, 1, 7, 1, 256, 20, 2], [[1, 256]]), 'it states 1 array and 256 slots'],
    [
      'with a slot too many',
      values([1, 4, 7, 1, 3, 20, 2], [[4, 13]]),
      'the length of an array does not fit its buckets',
    ],
    ['without buckets', values([1, 4, 7, 1, 3, 20, 2], [[0, 0]]), 'the length of an array does not fit its buckets'],
  ])('%s are refused', (_, bytes, message) => expect(() => decodeCuckoo(bytes, 4, 'x')).toThrow(message));

  test.each([3, 5])('of version %d are refused', (version) => {
    expect(() => decodeCuckoo(values([1, 4, 7, 1, 3, 20, 2], [[4, 12]]), version, 'x')).toThrow(
      `in version ${version}, and`,
    );
  });

  test('may have 255 slots in a bucket', () => {
    expect(decodeCuckoo(values([1, 1, 7, 1, 255, 20, 2], [[1, 255]]), 4, 'x').bucketSlots).toBe(255);
  });
});
