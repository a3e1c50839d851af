// The library and another reader give the same answers from an index.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { openIndex } from '../../src/library/index.ts';
import { fixture, scratch } from '../cli/run.ts';
import { decodeIndex } from '../reference/index-file.ts';
import { xxh64 } from '../reference/xxh64.ts';

const { path, within } = scratch();
const keysOf = (name: string) => readFileSync(fixture(name), 'utf8').trimEnd().split('\n');

beforeAll(async () => {
  await within(['index', '-q', '-i', fixture('words.txt'), fixture('packages.txt'), '-o', 'lists.index']);
});

test('the names of the files that may have a key', async () => {
  const index = await openIndex(pathToFileURL(path('lists.index')));
  const oracle = decodeIndex(readFileSync(path('lists.index')));
  expect(index.files).toEqual([fixture('words.txt'), fixture('packages.txt')]);
  for (const file of index.files) {
    for (const key of keysOf(file.slice(fixture('').length)).slice(0, 300)) {
      const found = index.filesWith(key);
      expect(found).toContain(file);
      expect(found).toEqual(oracle.filesWith(xxh64(Buffer.from(key.toLowerCase()), 0n)));
    }
  }
  const long = Buffer.alloc(300_000, 'Long');
  expect(index.filesWith(long)).toEqual(oracle.filesWith(xxh64(Buffer.alloc(300_000, 'long'), 0n)));
  index.close();
  index.close();
  expect(() => index.filesWith('walk')).toThrow(expect.objectContaining({ code: 'usage' }));
});

test('a file that is not an index, and a damaged index, are refused', async () => {
  await expect(openIndex(path('missing'))).rejects.toMatchObject({ code: 'input' });
  const message = expect.stringMatching(/words.txt is not an index of files$/);
  await expect(openIndex(fixture('words.txt'))).rejects.toMatchObject({ code: 'format', message });
  const bytes = readFileSync(path('lists.index'));
  bytes[200] = (bytes[200] ?? 0) ^ 1;
  writeFileSync(path('broken.index'), bytes);
  const index = await openIndex(path('broken.index'));
  expect(() => keysOf('words.txt').map(index.filesWith)).toThrow(expect.objectContaining({ code: 'format' }));
  index.close();
});
