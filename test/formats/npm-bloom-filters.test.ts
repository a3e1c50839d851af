// Filters of npm's bloom-filters: keys beyond ASCII, and rejected files.

import { expect, test } from 'vitest';
import { openFilterFile } from '../../src/formats/open.ts';
import { answersTo, withLoaded } from './asking.ts';
import { placed } from './bloomery/files.ts';

// `saveAsJSON` of BloomFilter.create(20, 0.01) with these keys, by version 3.0.4.
const KEYS = ['a', 'é', '日本', '😀', 'abc'];
const FILTER = {
  type: 'BloomFilter',
  _size: 192,
  _nbHashes: 7,
  _filter: { size: 192, content: 'TAEAqQBACAGANAAEFgABCCABEAkCEREA' },
  _seed: 78187493520,
};

const fileOf = (json: unknown, space?: number) => placed(Buffer.from(JSON.stringify(json, undefined, space)));

test.each([undefined, 2])('strings are found as UTF-8, indented by %s', async (space) => {
  const keys = [...KEYS, 'b', 'e', '日', 'ab'].map((key) => new Uint8Array(Buffer.from(key)));
  const answers = await withLoaded(fileOf(FILTER, space), 1, (loaded) => answersTo(loaded, keys));
  expect(answers).toEqual(keys.map((_, i) => i < KEYS.length));
});

test.each([
  ['another type', { ...FILTER, type: 'CountingBloomFilter' }, /is a CountingBloomFilter of npm/],
  ['an array of bits', { ...FILTER, _filter: [0, 1, 0] }, /before 3\.0/],
  ['a fraction of a bit', { ...FILTER, _size: 191.5 }, /does not describe a filter/],
  ['no seed', { ...FILTER, _seed: null }, /does not describe a filter/],
])('%s is refused', async (_, json, message) => {
  await expect(openFilterFile(fileOf(json), 'query')).rejects.toMatchObject({
    code: 'format',
    message: expect.stringMatching(message),
  });
});
