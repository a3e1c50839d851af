import { createHashing } from '../../src/engine/input/hashing.ts';
// The hashes of pybloom, and invalid values in its files.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openFilterFile } from '../../src/formats/open.ts';
import { rulesOf } from '../../src/formats/pybloom/hashes.ts';
import { HEADER_BYTES, isHeader } from '../../src/formats/pybloom/slices.ts';
import { usedKernel } from '../kernel/kernels.ts';
import { inLongRuns } from '../long.ts';
import { slicePositions } from '../reference/formats/pybloom.ts';
import { createRandom } from '../reference/random.ts';
import { answersTo, withLoaded } from './asking.ts';
import { placed } from './bloomery/files.ts';

const STATED = { fpr: 0.5, capacity: 1n, inserted: 0n };

/** The number of slices and the bits of a slice, for each hash and each size of its numbers. */
const SLICES = {
  'few, numbers of 2 bytes': [8, 32767],
  'few, numbers of 4 bytes': [4, 32768],
  'few, numbers of 8 bytes': [2, 2 ** 31],
  'SHA-1': [10, 1000],
  'SHA-1, all of it': [5, 2 ** 31 - 1],
  'SHA-256': [16, 77],
  'SHA-256, numbers of 8 bytes': [3, 2 ** 33 + 1],
  'SHA-384': [24, 1],
  'SHA-512': [25, 1001],
  'SHA-512, all of it': [32, 1001],
  'SHA-512, twice': [33, 1001],
  'SHA-512, thrice': [40, 99_999],
} as const;

const random = createRandom(7);
const material = Uint8Array.from({ length: 4096 }, random);

/** Lengths at which padding needs another block, or a hash of long keys begins, and a few more. */
const LENGTHS = inLongRuns(
  Array.from({ length: 2200 }, (_, length) => length),
  [
    0, 1, 15, 16, 17, 23, 24, 35, 36, 39, 40, 47, 48, 49, 63, 64, 79, 80, 81, 111, 112, 113, 127, 128, 223, 224, 225,
    1039, 1040, 1041, 2100,
  ],
);

/** The kernel's digest of a key. */
async function digestOf(key: Uint8Array, filters: Parameters<typeof rulesOf>[0], variant: string): Promise<bigint[]> {
  const rules = await rulesOf(filters, variant, 'x');
  const { words = 0 } = rules;
  const kernel = usedKernel();
  const hash = createHashing(kernel, rules);
  // Bytes around the key make no difference.
  const at = kernel.reserve(key.length + 128) + 64;
  kernel.bytes(at - 64, key.length + 128).fill(0xa5);
  kernel.bytes(at, key.length).set(key);
  const span = kernel.reserve(8);
  new Uint32Array(kernel.memory.buffer, span, 2).set([at, key.length]);
  const digest = kernel.reserve(8 * words);
  hash(span, 1, digest);
  return [...new BigUint64Array(kernel.memory.buffer, digest, words)];
}

describe.each(Object.entries(SLICES))('%s', (_, [k, sliceBits]) => {
  test.each(['pybloom-3', 'pybloom-4'])('the positions of keys of many lengths, %s', async (variant) => {
    const filter = { ...STATED, k, sliceBits };
    for (const length of LENGTHS) {
      const key = material.subarray(length % 13, (length % 13) + length);
      const expected = slicePositions(key, filter, variant).map(BigInt);
      expect(await digestOf(key, [filter], variant), `${length} bytes`).toEqual(expected);
    }
  });
});

test('the positions of several filters follow each other', async () => {
  const filters = [
    { ...STATED, k: 4, sliceBits: 1000 },
    { ...STATED, k: 33, sliceBits: 40_000 },
    { ...STATED, k: 2, sliceBits: 7 },
  ];
  const key = material.subarray(0, 50);
  const expected = filters.flatMap((filter) => slicePositions(key, filter, 'pybloom-4')).map(BigInt);
  expect(await digestOf(key, filters, 'pybloom-4')).toEqual(expected);
});

test('more positions than a digest may have are refused', async () => {
  const filter = { ...STATED, k: 513, sliceBits: 1000 };
  await expect(rulesOf([filter, filter], undefined, 'x')).rejects.toThrow('x needs 1026 words of hashes per key');
});

const FIXTURES = new URL('../../fixtures/formats/pybloom/', import.meta.url);
const fixture = (name: string) => new Uint8Array(readFileSync(new URL(name, FIXTURES)));
const opened = (bytes: Uint8Array, format?: string) =>
  openFilterFile(placed(bytes, 'a.bloom'), 'query', { format }).then(({ close }) => close());

describe('the version', () => {
  test.each([['md5.pybloom-3'], ['xxh3.pybloom-4'], ['scalable.pybloom-4']])('has to be stated: %s', async (name) => {
    for (const format of [undefined, 'pybloom'])
      await expect(opened(fixture(name), format)).rejects.toMatchObject({
        code: 'format',
        message: expect.stringMatching(/a\.bloom is a filter of pybloom, .* use MD5 and newer versions XXH3$/),
        hint: expect.stringMatching(/^state --format pybloom-3 or --format pybloom-4; the right version finds/),
      });
    await opened(fixture(name), 'pybloom-3');
  });

  test('makes no difference with many slices', async () => {
    for (const format of [undefined, 'pybloom', 'pybloom-3', 'pybloom-4']) await opened(fixture('sha.bloom'), format);
  });
});

test.each([
  [0.5, 1n, true],
  [1, 1n, false],
  [0.01, 7n, true],
  [0.01, 6n, false],
  [0.01, 8n, false],
])('a head with the rate %d and %d slices is one: %s', (fpr, k, isOne) => {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setFloat64(0, fpr, true);
  head.setBigUint64(8, k, true);
  head.setBigUint64(16, 100n, true);
  expect(isHeader(head)).toBe(isOne);
});

// The capacities and rates that pybloom's constructors were given. The first filter of the scalable one is for 60 keys.
test.each([
  ['md5.pybloom-3', 'pybloom-3', { capacity: 220, targetFpr: 0.05 }, 199],
  ['sha.bloom', undefined, { capacity: 220, targetFpr: 0.001 }, 200],
  ['xxh3.pybloom-4', 'pybloom-4', { capacity: 220, targetFpr: 0.05 }, 197],
  ['scalable.pybloom-4', 'pybloom-4', { capacity: 60 + 120 + 240, targetFpr: 0.2 }, 149],
])('%s: what it was sized for, how many keys were new, and its bytes', async (name, format, target, inserted) => {
  const file = fixture(name);
  const check = ({ description }: { readonly description: object }) =>
    expect(description).toMatchObject({ target, inserted, bytes: file.length });
  await withLoaded(placed(file), 1, check, { format });
});

test('a scalable filter without keys has no filters, and 1,000 keys are absent', async () => {
  const bytes = fixture('scalable.pybloom-4').slice(0, 32);
  const head = new DataView(bytes.buffer);
  // With an odd growth factor, the first byte would set the bit that all keys have.
  head.setInt32(0, 3, true);
  head.setInt32(28, 0, true);
  const keys = Array.from({ length: 1000 }, (_, i) => Buffer.from(`${i}`));
  const answers = await withLoaded(placed(bytes), 1, (filter) => answersTo(filter, keys), { format: 'pybloom-4' });
  expect(answers.filter(Boolean)).toEqual([]);
});

describe('a scalable filter is refused', () => {
  const SECOND = 32 + 3 * 8;
  const spoils: Readonly<Record<string, [string, (head: DataView) => void]>> = {
    'with a filter more': ['has an impossible header', (head) => head.setInt32(28, 4, true)],
    'with a filter less': ['an impossible header', (head) => head.setInt32(28, 2, true)],
    'with more filters than bytes': ['it ends within its headers', (head) => head.setInt32(28, 1000, true)],
    'with a length that is none': [
      'filter 1 of 3 has a wrong length',
      (head) => head.setBigUint64(32, 2n ** 63n, true),
    ],
    'with a filter of no bits': [
      'filter 1 of 3 has an impossible header',
      (head) => head.setBigUint64(SECOND + 16, 0n, true),
    ],
    'with a filter of 2^39 bits in a slice': [
      'filter 1 of 3 has a wrong length',
      (head) => head.setBigUint64(SECOND + 16, 2n ** 39n, true),
    ],
  };
  test.each(Object.entries(spoils))('%s', async (_, [message, spoil]) => {
    const bytes = fixture('scalable.pybloom-4');
    spoil(new DataView(bytes.buffer));
    await expect(opened(bytes, 'pybloom-4')).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining(message),
    });
  });
});
