// The JSON of bits-and-blooms: accepted forms, and JSON that is not a filter.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openFilterFile } from '../../src/formats/open.ts';
import { formatOf } from '../../src/formats/registry.ts';
import { placed } from './bloomery/files.ts';

const TEXT = readFileSync(new URL('../../fixtures/formats/bits-and-blooms/json.json', import.meta.url), 'utf8');
const { m, k, b } = JSON.parse(TEXT);
const usual = b.replaceAll('-', '+').replaceAll('_', '/');

const opened = (text: string) =>
  openFilterFile(placed(Buffer.from(text), 'a.json'), 'query').then(({ description, close }) => {
    close();
    return description;
  });

test.each([
  ['as it is', TEXT],
  ['with a line end', `${TEXT}\n`],
  ['with blanks', JSON.stringify({ m, k, b }, null, 2)],
  ['with the usual letters', JSON.stringify({ m, k, b: usual })],
])('a filter %s', async (_, text) => {
  expect(await opened(text)).toMatchObject({ format: { name: 'bits-and-blooms' }, shape: { bits: 1918, k: 7 } });
  expect((await opened(text)).bytes).toBe(text.length);
  expect(formatOf(Buffer.from(text.slice(0, 128)), text.length)?.system).toBe('bits-and-blooms');
});

test('records in JSON are not a filter', () => {
  const lines = '{"m":1918,"k":7,"b":"AAAA"}\n'.repeat(100);
  expect(formatOf(Buffer.from(lines.slice(0, 128)), lines.length)).toBeUndefined();
});

describe('refused', () => {
  test.each([
    ['what ends too early', TEXT.slice(0, -1), 'its JSON is malformed'],
    ['what has something behind it', `${TEXT}{}`, 'its JSON is malformed'],
    ['a letter that is none', TEXT.replace('AAAA', 'A*AA'), 'its JSON does not describe a filter'],
    ['a letter less', TEXT.replace('AAAA', 'AAA'), 'its JSON does not describe a filter'],
    ['more bits than there are', TEXT.replace('"m":1918', '"m":99991918'), 'its header states 99991918 bits'],
    ['m = 2^60', TEXT.replace('"m":1918', '"m":1152921504606846976'), 'its JSON does not describe a filter'],
    ['k = 0', TEXT.replace('"k":7', '"k":0'), 'has no hash functions'],
    ['m = 0', TEXT.replace('"m":1918', '"m":0'), 'has no bits'],
  ])('%s', async (_, text, message) => {
    await expect(opened(text)).rejects.toMatchObject({ code: 'format', message: expect.stringContaining(message) });
  });
});
