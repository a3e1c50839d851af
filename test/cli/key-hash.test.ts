// --key-hash and --hashed: keys that are digests of records.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildFilter, openFilter } from '../../src/library/index.ts';
import { inLongRuns } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');
const words = readFileSync(WORDS, 'utf8').trimEnd().split('\n');
const digestOf = (name: string, text: string) => createHash(name).update(text).digest('hex');
const SIZE = ['-n', '6000', '-p', '1e-6'];

async function made(name: string, ...args: readonly string[]): Promise<string> {
  const { status, stderr } = await within(['build', ...SIZE, ...args, '-o', name, '--force']);
  expect(status, stderr).toBe(0);
  return stderr;
}

const counted = async (...args: readonly string[]) => (await within(['query', '-c', ...args])).stdout.trim();

/** The bytes between the header and the checksums: the bits of a filter of one segment. */
const payload = (name: string) => readFileSync(path(name)).subarray(128, -24);

beforeAll(() => {
  for (const hash of ['sha1', 'sha256', 'md5']) {
    const lines = words.map((word) => digestOf(hash, word));
    writeFileSync(path(hash), `${lines.join('\n')}\n`);
    writeFileSync(path(`${hash}.leaked`), lines.map((line, i) => `${line.toUpperCase()}:${i}\n`).join(''));
  }
});

describe.each(inLongRuns(['sha1', 'sha256', 'md5'], ['sha1', 'md5']))('%s', (hash) => {
  test('digests of records are the keys', async () => {
    await made('by', '--key-hash', hash, WORDS);
    await made('plain', hash);
    await made('upper', '--key-hash', `${hash}:upper`, WORDS);
    await made('plain.upper', '-d', ':', '-f', '1', `${hash}.leaked`);
    expect(Buffer.compare(payload('by'), payload('plain'))).toBe(0);
    expect(Buffer.compare(payload('upper'), payload('plain.upper'))).toBe(0);
    expect(Buffer.compare(payload('by'), payload('upper'))).not.toBe(0);
    expect([await counted('by', WORDS), await counted('upper', WORDS), await counted('plain', hash)]).toEqual(
      Array(3).fill(`${words.length}`),
    );
  });

  test('digests of a list are read in any case', async () => {
    await made('by', '--key-hash', hash, WORDS);
    for (const flags of [
      ['--hashed', hash],
      ['--hashed', '-d', ':', '-f', '1', `${hash}.leaked`],
    ]) {
      await made('hashed', '--key-hash', hash, ...flags);
      expect(Buffer.compare(readFileSync(path('hashed')), readFileSync(path('by')))).toBe(0);
      expect(await counted('by', ...flags)).toBe(`${words.length}`);
    }
  });
});

test('sha1sum makes the same digests', async () => {
  shell(`head -n 30 ${WORDS} | while read -r word; do printf %s "$word" | sha1sum | cut -d ' ' -f 1; done > summed`);
  await made('summed.bloom', '--key-hash', 'sha1', '--hashed', 'summed');
  expect(await counted('summed.bloom', WORDS)).toBe('30');
});

describe('a filter with a key hash', () => {
  beforeAll(() => made('sha1.bloom', '--key-hash', 'sha1', WORDS));

  test('states it', async () => {
    const { stdout } = await within(['stats', '--json', '--probes', '1000', 'sha1.bloom']);
    expect(JSON.parse(stdout)).toMatchObject({ keyHash: 'sha1', measuredFpr: { positives: 0 } });
    expect((await within(['stats', '--probes', '1k', 'sha1.bloom'])).stdout).toMatch(
      /kind .*, keys hashed with sha1\n/,
    );
    expect(readFileSync(path('sha1.bloom')).readUInt32LE(16)).toBe(1 << 12);
    await made('upper', '--key-hash', 'md5:upper', WORDS);
    expect(readFileSync(path('upper')).readUInt32LE(16)).toBe((3 << 12) | 32768);
  });

  test.each(['1', '2', '3', '8'])('has the same bytes with --threads %s', async (threads) => {
    await made('threads', '--key-hash', 'sha1', '--threads', threads, WORDS);
    expect(Buffer.compare(readFileSync(path('threads')), readFileSync(path('sha1.bloom')))).toBe(0);
  });

  test('applies in every command', async () => {
    shell(`head -n 2000 ${WORDS} > head; tail -n +2001 ${WORDS} > tail; tail -n +2001 sha1.leaked > tail.leaked`);
    const same = (name: string) => expect(contentOf(name).equals(contentOf('sha1.bloom')), name).toBe(true);
    const contentOf = (name: string) => readFileSync(path(name));
    await within(['build', '--like', 'sha1.bloom', WORDS, '-o', 'like', '--force']);
    same('like');
    await made('head.bloom', '--key-hash', 'sha1', 'head');
    await made('tail.bloom', '--key-hash', 'sha1', 'tail');
    await within(['merge', 'head.bloom', 'tail.bloom', '-o', 'merged', '--force']);
    same('merged');
    await within(['add', 'tail.bloom', 'head']);
    same('tail.bloom');
    await within(['add', '--hashed', '-d', ':', '-f', '1', 'head.bloom', 'tail.leaked']);
    same('head.bloom');
    await within(['digest', '--key-hash', 'sha1', WORDS, '-o', 'digests', '--force']);
    await made('digested', '--key-hash', 'sha1', '--digests', 'digests');
    same('digested');
    await within(['build', ...SIZE, '--kind', 'counting', '--key-hash', 'sha1', WORDS, '-o', 'counting', '--force']);
    const { stderr } = await within(['remove', '--hashed', '-d', ':', '-f', '1', 'counting', 'tail.leaked']);
    expect(stderr).toMatch(/removed 3,130 keys/);
    expect(await counted('counting', WORDS)).toBe('2000');
    const { stdout } = await within([
      'stats',
      '--json',
      '--probes',
      '0',
      '--hashed',
      '--present',
      'sha1',
      'sha1.bloom',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ present: { records: words.length, missing: 0 } });
    await within([
      'build',
      '--key-hash',
      'sha1',
      '--kind',
      'ribbon',
      'head',
      '--never',
      'tail',
      '-o',
      'never',
      '--force',
    ]);
    expect([await counted('never', 'head'), await counted('never', 'tail')]).toEqual(['2000', '0']);
  });

  test('is read by the library', async () => {
    const filter = await openFilter(path('sha1.bloom'));
    expect(filter.hasMany([words[0] ?? '', digestOf('sha1', words[0] ?? ''), 'no word'])).toEqual([true, false, false]);
    expect([filter.has(words[1] ?? ''), filter.stats().keyHash]).toEqual([true, 'sha1']);
    filter.close();
    const built = await buildFilter(words, { keyHash: 'sha1', items: 6000, fpr: 1e-6 });
    expect(Buffer.compare(await built.toBytes(), readFileSync(path('sha1.bloom')))).toBe(0);
    await expect(buildFilter(words, { keyHash: 'sha512' })).rejects.toThrow('there is no key hash sha512');
  });

  test('names the records that are not digests', async () => {
    writeFileSync(path('some'), `${digestOf('sha1', 'a')}\nnone\n\n${digestOf('md5', 'a')}\n`);
    const { stderr, stdout } = await within([
      'build',
      '--json',
      ...SIZE,
      '--key-hash',
      'sha1',
      '--hashed',
      'some',
      '-o',
      'x',
      '--force',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ inserted: 1, skipped: 3 });
    expect(stderr).toMatch(/3 records are no sha1 of 40 hexadecimal digits/);
    expect((await within(['query', '--hashed', 'x', 'some'])).stderr).toBe(
      'bloom: warning: 3 records are no sha1 of 40 hexadecimal digits, and cannot be in the set\n',
    );
  });

  test.each([
    [['query', 'sha1.bloom', '--key-hash', 'md5', '-e', 'a'], /hashed with sha1, not --key-hash md5; leave it out/],
    [['query', 'sha1.bloom', '--key-hash', 'sha1:upper', '-e', 'a'], /hashed with sha1, not --key-hash sha1:upper/],
    [['query', 'bare.bloom', '--key-hash', 'sha1', '-e', 'a'], /the keys of bare.bloom are not hashed/],
    [
      ['query', 'bare.bloom', '--hashed', '-e', 'a'],
      /--hashed reads digests, .* does not state of which hash; add --key-hash/,
    ],
    [['build', '--hashed', WORDS, '-o', 'refused'], /nothing states of which hash; add --key-hash sha1/],
    [['build', '--key-hash', 'sha512', WORDS, '-o', 'refused'], /expected one of sha1, sha1:upper, sha256/],
    [['build', '--like', 'sha1.bloom', '--key-hash', 'sha1', WORDS, '-o', 'refused'], /--key-hash cannot be stated/],
    [['build', '--suffixes', '--key-hash', 'sha1', WORDS, '-o', 'refused'], /--key-hash has no effect/],
    [['merge', 'sha1.bloom', 'bare.bloom', '-o', 'refused'], /key hash is none in bare.bloom, sha1 in sha1.bloom/],
  ])('refuses %j', async (args, message) => {
    await made('bare.bloom', WORDS);
    const { status, stderr } = await within(args);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});

test('the key hash of a filter of another system is stated each time', async () => {
  const format = ['--format', 'dcso', '--key-hash', 'sha1:upper'];
  await within(['build', ...SIZE, ...format, WORDS, '-o', 'dcso.bloom', '--force']);
  await within([
    'build',
    ...SIZE,
    '--format',
    'dcso',
    '-d',
    ':',
    '-f',
    '1',
    'sha1.leaked',
    '-o',
    'leaked.bloom',
    '--force',
  ]);
  expect(Buffer.compare(readFileSync(path('dcso.bloom')), readFileSync(path('leaked.bloom')))).toBe(0);
  expect(await counted('dcso.bloom', WORDS)).toBe('0');
  expect(await counted('dcso.bloom', '--key-hash', 'sha1:upper', WORDS)).toBe(`${words.length}`);
  expect(await counted('dcso.bloom', '--key-hash', 'sha1:upper', '--hashed', 'sha1')).toBe(`${words.length}`);
});
