import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FormatAbility } from '../../src/formats/mark.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import { formatNames } from '../../src/formats/registry.ts';
import { HEADER, oracleFile, placed } from './bloomery/files.ts';

const REFUSALS: Readonly<Record<FormatAbility, string>> = {
  query: 'which bloom cannot query',
  report: 'which bloom cannot report on',
  build: 'and bloom cannot build such a filter',
  change: 'which bloom cannot change',
  merge: 'which bloom cannot merge',
};

const FILTER_PASSWORD = Buffer.from('87d6120000000000', 'hex');

/** A filter of Cassandra: k, the number of words, and three words. */
const CASSANDRA = Buffer.concat([Buffer.from('0000000500000003', 'hex'), Buffer.alloc(24)]);

test.each(Object.entries(REFUSALS) as [FormatAbility, string][])(
  'a filter of a system that is only recognised is named if the user wants to %s',
  async (ability, refusal) => {
    await expect(openFilterFile(placed(FILTER_PASSWORD, 'x.db'), ability)).rejects.toMatchObject({
      code: 'format',
      message: expect.stringMatching(new RegExp(`x\\.db is a filter of FilterPassword, ${refusal}$`)),
      hint: 'it belongs to FilterPassword; make a filter of the same keys with bloom build',
    });
  },
);

describe("a file that is not recognised is not a filter of bloomery's own format either:", () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'is empty, not a filter'],
    ['text', Buffer.from('alpha\nbeta\n'), 'is not a filter of bloom: it does not begin with the signature of one'],
    [
      'another system',
      Buffer.from('\x89PNG and more'),
      'is not a filter of bloom: it does not begin with the signature of one',
    ],
    ['something compressed', gzipSync('alpha\n'), 'is compressed with gzip, and bloom cannot query it compressed'],
    ['something compressed twice', gzipSync(gzipSync('alpha\n')), 'is compressed with gzip'],
    ['the beginning of ours', Buffer.from(oracleFile(HEADER, []).subarray(0, 5)), 'after 5 of 128 bytes'],
  ])('%s', async (_, bytes, message) => {
    await expect(openFilterFile(placed(bytes), 'query')).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining(message),
    });
  });
});

test.each([CASSANDRA.subarray(0, -1), Buffer.concat([CASSANDRA, Buffer.alloc(1)])])(
  'a filter whose length differs from its head is still recognised',
  async (bytes) => {
    await expect(openFilterFile(placed(bytes), 'query')).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining('is a filter of Cassandra'),
    });
  },
);

describe('a format that is stated', () => {
  const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/formats/${name}`, import.meta.url));
  const opened = (file: string, format: string) =>
    openFilterFile(file, 'query', { format }).then(({ description, close }) => {
      close();
      return description.format.name;
    });

  test.each([
    ['dcso', 'dcso/a.bloom'],
    ['dcso', 'dcso/a.bloom.gz'],
    ['guava', 'guava/mitz64.guava'],
  ])('is %s of %s', async (format, file) => {
    expect(await opened(fixture(file), format)).toBe(format);
  });

  test.each([
    ['guava', 'dcso/a.bloom', 'is not a filter of Guava: its first bytes are different'],
    ['dcso', 'guava/mitz64.guava', 'is not a filter of DCSO bloom: its first bytes are different'],
    ['guava', 'dcso/a.bloom.gz', 'is compressed with gzip, and bloom cannot query it compressed'],
  ])('is not %s of %s', async (format, file, message) => {
    await expect(opened(fixture(file), format)).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining(message),
    });
  });

  test('and an unknown one is a bug', async () => {
    await expect(opened(fixture('dcso/a.bloom'), 'nothing')).rejects.toThrow('there is no format nothing');
  });
});

test('the formats with an ability can be stated for it', () => {
  expect(formatNames('query')).toEqual(expect.arrayContaining(['bloomery', 'dcso', 'guava']));
  expect(formatNames('query')).not.toContain('java');
});
