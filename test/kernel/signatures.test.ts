// The loops for signatures, against the rules of src/formats/index-file/INDEX.md.

import { describe, expect, test } from 'vitest';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { inLongRuns } from '../long.ts';
import { createRandom, randomDigests } from '../reference/random.ts';

const kernel = loadKernel();
const { exports } = kernel;
const random = createRandom(21);

function placed(digests: BigUint64Array): number {
  const address = kernel.reserve(digests.byteLength);
  new BigUint64Array(kernel.memory.buffer, address, digests.length).set(digests);
  return address;
}

const digestsAt = (address: number, count: number) => [...new BigUint64Array(kernel.memory.buffer, address, count)];

describe('a signature that is made in a byte per row', () => {
  const MOST_ROWS = 2 ** 20;
  const marks = kernel.reserve(MOST_ROWS + 15);
  const [whole, bits] = [kernel.reserve(MOST_ROWS / 8 + 8), kernel.reserve(MOST_ROWS / 8 + 8)];

  test.each([
    [64, 1, 0],
    [64, 1, 1],
    [69, 3, 2],
    [1001, 7, 103],
    [9742, 7, 1000],
    [9742, 8, 999],
    // The low half of a product decides one row in 4,096.
    ...inLongRuns([[MOST_ROWS, 7, 20_000] as const], []),
    [MOST_ROWS - 13, 5, 20_001],
  ] as const)('of %d rows with k = %d for %d digests has the same bits', (rows, k, count) => {
    const address = placed(randomDigests(random, count));
    const bytes = Math.ceil(rows / 8);
    exports.clear(bits, bytes + 8);
    kernel.bytes(whole, bytes + 8).fill(0xff);
    exports.sign(address, count, rows, k, bits);
    exports.signSmall(address, count, rows, k, whole, marks);
    expect(Buffer.compare(kernel.bytes(whole, bytes), kernel.bytes(bits, bytes))).toBe(0);
    // At most a byte after the rows is written, and the marks are ready for the next signature.
    expect(kernel.bytes(whole + 2 * Math.ceil(bytes / 2), 6).every((byte) => byte === 0xff)).toBe(true);
    expect(kernel.bytes(marks, rows + 15).every((mark) => mark === 0)).toBe(true);
  });
});

describe('a set', () => {
  test('moves new digests to the first places, and counts the digest 0 as 1', () => {
    const set = kernel.reserve(8 * 64);
    const first = placed(BigUint64Array.of(7n, 5n, 7n, 0n, 5n, 1n, 9n));
    expect(exports.addToSet(set, 64, 0, first, 7, 0)).toBe(4);
    expect(digestsAt(first, 4)).toEqual([7n, 5n, 1n, 9n]);
    const second = placed(BigUint64Array.of(9n, 11n, 7n, 12n));
    expect(exports.addToSet(set, 64, 4, second, 4, 0)).toBe(6);
    expect(digestsAt(second, 2)).toEqual([11n, 12n]);
  });

  test('skips the empty slots of another set', () => {
    const [small, large] = [kernel.reserve(8 * 256), kernel.reserve(8 * 1024)];
    const digests = randomDigests(random, 100);
    expect(exports.addToSet(small, 256, 0, placed(digests), 100, 0)).toBe(100);
    expect(exports.addToSet(large, 1024, 0, small, 256, 1)).toBe(100);
    expect(exports.listSet(large, 1024)).toBe(100);
    expect(digestsAt(large, 100).toSorted()).toEqual([...digests].toSorted());
  });
});
