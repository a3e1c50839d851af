// The statements of files without a checksum are used only if they are possible.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contentInFile } from '../../src/engine/survey.ts';
import { marcan } from '../reference/formats/marcan.ts';
import { poppy } from '../reference/formats/poppy.ts';
import { withLoaded } from './asking.ts';
import { outcome, placed } from './bloomery/files.ts';

/** A filter of 200 keys with a changed header. */
function content(file: string, write: (head: DataView) => void) {
  const bytes = new Uint8Array(readFileSync(new URL(`../../fixtures/formats/${file}`, import.meta.url)));
  write(new DataView(bytes.buffer, bytes.byteOffset));
  return withLoaded(placed(bytes, 'stated'), 1, ({ description, fills }) => ({
    target: description.target,
    inserted: description.inserted,
    distinct: contentInFile(description, fills(), 'stated').distinct.count,
  }));
}

describe.each([
  ['dcso/a.bloom', 40, 0.01],
  ['poppy/space-p10.poppy', 32, 0.1],
])('%s', (file, insertedAt, targetFpr) => {
  test('has the stated capacity and the stated rate', async () => {
    expect(await content(file, () => {})).toMatchObject({ target: { capacity: 200, targetFpr }, inserted: 200 });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0.01, -0, 0, 1, 1.5])(
    'has no known target if its rate is %d',
    async (rate) => {
      expect((await content(file, (head) => head.setFloat64(16, rate, true))).target).toBeUndefined();
    },
  );

  test.each([0n, 2n ** 53n, 2n ** 64n - 1n])('has no known target if its capacity is %d', async (capacity) => {
    expect((await content(file, (head) => head.setBigUint64(8, capacity, true))).target).toBeUndefined();
  });

  test.each([0n, 3n, 100n])('reports the keys that follow from its bits, although it states %d', async (keys) => {
    const { inserted, distinct } = await content(file, (head) => head.setBigUint64(insertedAt, keys, true));
    expect(inserted).toBe(Number(keys));
    expect(distinct).toBeGreaterThan(180);
    expect(distinct).toBeLessThan(220);
  });

  test('has no more keys than it states, as far as its bits show', async () => {
    const { distinct } = await content(file, (head) => head.setBigUint64(insertedAt, 184n, true));
    expect(distinct).toBe(184);
  });

  test('has an unknown number of keys if it states 2^64 - 1', async () => {
    const { inserted } = await content(file, (head) => head.setBigUint64(insertedAt, 2n ** 64n - 1n, true));
    expect(inserted).toBeUndefined();
  });
});

// 1,917 bits are 239.625 bytes.
test.each([
  [2 ** 20 + 239, 'accepted'],
  [2 ** 20 + 240, 'format'],
])('marcan with %d bytes of at most 2^20 more than its bits: %s', async (size, expected) => {
  const PAGE = 2 ** 14;
  const before = marcan.vessels['few bits']?.().filter.encode() ?? new Uint8Array();
  const line = Buffer.from(before.subarray(0, 200)).toString('latin1').split('\n')[0] ?? '';
  const file = Buffer.alloc(PAGE + size);
  file.write(`${line.replace(`"size": ${PAGE}`, `"size": ${size}`)}\n`);
  expect(await outcome(withLoaded(placed(file, 'stated'), 1, () => {}))).toBe(expected);
});

describe('poppy with a cache, which is after all buckets', () => {
  const KEYS = 5000;
  // Poppy uses keys of at most 8 bytes as their own hashes. Numbers as text then set only some bits and buckets.
  test.each([
    ['short', ''],
    ['long', 'a key of many bytes: '],
  ])('has as many %s keys as it counted', async (_, prefix) => {
    const filter = poppy.makes?.['poppy-speed']?.(KEYS, 0.01);
    if (filter === undefined) throw new Error('the oracle makes no such filter');
    for (let key = 1; key <= KEYS; key++) filter.add(Buffer.from(`${prefix}${key}`));
    const distinct = await withLoaded(placed(filter.encode(), 'cached'), 1, ({ description, fills }) =>
      contentInFile(description, fills(), 'cached'),
    );
    expect(distinct.distinct.count).toBeGreaterThan(0.98 * KEYS);
    expect(distinct.distinct.count).toBeLessThan(1.02 * KEYS);
  });

  test('does not have more keys than ones, whatever its header states', async () => {
    const { distinct } = await content('poppy/space-p10.poppy', (head) => head.setBigUint64(32, 2n ** 40n, true));
    expect(distinct).toBeLessThan(220);
  });
});
