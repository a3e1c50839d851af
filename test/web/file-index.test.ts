// The reader of indexes of files for browsers gives the answers of another reader, and reads only what it needs.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openIndex, type WebIndex } from '../../src/web/file-index/index.ts';
import type { WebOptions, WebSource } from '../../src/web/filter.ts';
import { hashes, letters } from '../../src/web/parts/index.ts';
import { fixture, scratch } from '../cli/run.ts';
import { decodeIndex } from '../reference/index-file.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { createHost, URL_OF_HOST } from './host.ts';

const { path, within } = scratch();

/** The files have very different numbers of keys, so they are in several groups. */
const FILES = 300;
const sizeOf = (file: number) => 1 + (file % 100 === 7 ? 3000 : file % 13);
const keyOf = (file: number, i: number) => `key-${(file * 7919 + i * 104_729) % 1_000_003}`;

/** Names so long that the table is larger than what is read at once. */
const LONG = Array.from({ length: 15 }, (_, i) => `${i}`.padEnd(240, 'long')).join('/');
const LONG_FILES = 320;

const bytesOf = (name: string) => Uint8Array.from(readFileSync(path(name)));
const digestOf = (key: string) => xxh64(Buffer.from(key), 0n);

beforeAll(async () => {
  mkdirSync(path('logs'));
  for (let file = 0; file < FILES; file++)
    writeFileSync(path(`logs/${file}`), Array.from({ length: sizeOf(file) }, (_, i) => `${keyOf(file, i)}\n`).join(''));
  mkdirSync(path(LONG), { recursive: true });
  for (let file = 0; file < LONG_FILES; file++) writeFileSync(path(`${LONG}/${file}`), `${keyOf(file, 0)}\nshared\n`);
  for (const [folder, name] of [
    ['logs', 'logs.index'],
    ['0'.padEnd(240, 'long'), 'long.index'],
  ] as const)
    expect(await within(['index', '-q', '-r', folder, '-o', name])).toMatchObject({ stderr: '', status: 0 });
});

/** The names for keys of some files, and for keys that no file has, as the other reader finds them. */
async function expectTruth(index: WebIndex, bytes: Uint8Array): Promise<void> {
  const oracle = decodeIndex(bytes);
  expect(oracle.groups.length).toBeGreaterThan(3);
  for (let file = 0; file < FILES; file += 23) {
    const found = await index.filesWith(keyOf(file, sizeOf(file) - 1));
    expect(found).toContain(`logs/${file}`);
    expect(found).toEqual(oracle.filesWith(digestOf(keyOf(file, sizeOf(file) - 1))));
    expect(await index.filesWith(`no ${file}`)).toEqual(oracle.filesWith(digestOf(`no ${file}`)));
  }
}

describe('an index of files', () => {
  const ways: readonly (readonly [string, (bytes: Uint8Array) => readonly [WebSource, WebOptions?]])[] = [
    ['by range', (bytes) => [URL_OF_HOST, { fetch: createHost(bytes).fetch }]],
    ['without memory for pages', (bytes) => [URL_OF_HOST, { fetch: createHost(bytes).fetch, cacheBytes: 0 }]],
    ['whole', (bytes) => [URL_OF_HOST, { fetch: createHost(bytes).fetch, whole: true }]],
    ['as a Blob', (bytes) => [new Blob([Uint8Array.from(bytes)])]],
    ['in memory', (bytes) => [bytes]],
  ];
  test.each(ways)('has the answers of another reader, %s', async (_, given) => {
    const bytes = bytesOf('logs.index');
    await expectTruth(await openIndex(...given(bytes)), bytes);
  });

  test('costs a request for its header, one for its table, and for each new key a few small ones', async () => {
    const bytes = bytesOf('logs.index');
    const host = createHost(bytes);
    const index = await openIndex(URL_OF_HOST, { fetch: host.fetch });
    expect(host.ranges()).toHaveLength(2);
    const { groups, k } = decodeIndex(bytes);
    await index.filesWith(keyOf(107, 1));
    const ranges = host.ranges();
    expect(ranges.length).toBeLessThanOrEqual(k * groups.length);
    expect(ranges.length).toBeGreaterThan(0);
    expect(await index.filesWith(keyOf(107, 1))).toContain('logs/107');
    expect(host.ranges()).toEqual([]);
    expect(index.traffic().requests).toBe(2 + ranges.length);
  });

  test('asks for all rows of a key before the first answer', async () => {
    const host = createHost(bytesOf('logs.index'));
    const index = await openIndex(URL_OF_HOST, { fetch: host.fetch });
    host.ranges();
    // No answer comes while the requests are counted.
    host.instead = () => new Promise(() => {});
    void index.filesWith(keyOf(107, 1));
    await new Promise((resolve) => setImmediate(resolve));
    const asked = host.ranges().length;
    host.instead = undefined;
    const other = await openIndex(URL_OF_HOST, { fetch: host.fetch });
    host.ranges();
    await other.filesWith(keyOf(107, 1));
    expect(host.ranges()).toHaveLength(asked);
  });

  test('with a large table is not read whole, and has the answers of another reader', async () => {
    const bytes = bytesOf('long.index');
    expect(bytes.length).toBeGreaterThan(2 ** 20);
    const host = createHost(bytes);
    const index = await openIndex(URL_OF_HOST, { fetch: host.fetch });
    const oracle = decodeIndex(bytes);
    for (const file of [0, 1, 200, LONG_FILES - 1]) {
      const found = await index.filesWith(keyOf(file, 0));
      expect(found).toContain(`${LONG}/${file}`);
      expect(found).toEqual(oracle.filesWith(digestOf(keyOf(file, 0))));
    }
    expect(index.traffic().bytes).toBeLessThan(bytes.length / 2);
    expect(await index.filesWith('shared')).toHaveLength(LONG_FILES);
  });

  test('says what its header says', async () => {
    const bytes = bytesOf('logs.index');
    const index = await openIndex(bytes);
    const { stdout } = await within(['stats', '--json', 'logs.index']);
    const stated = JSON.parse(stdout);
    const info = index.info();
    expect({ ...info, seed: Number(info.seed) }).toEqual(
      Object.fromEntries(Object.keys(info).map((name) => [name, stated[name]])),
    );
  });
});

test.each([
  ['WALK', ['-i']],
  [' walk\t', ['--trim']],
  ['walk', ['--hash', 'farm64', '--seed', '7']],
  ['WaLK', ['--ignore-case-unicode', '--hash', 'xxh3']],
] as const)('the rules of keys apply: %j with %s', async (key, flags) => {
  const files = [fixture('words.txt'), fixture('packages.txt')];
  await within(['index', '-q', '--force', ...flags, ...files, '-o', 'rules.index']);
  const index = await openIndex(bytesOf('rules.index'), { with: [hashes, letters] });
  expect(await index.filesWith(key)).toEqual([files[0]]);
  expect(await index.filesWith(new TextEncoder().encode(key))).toEqual([files[0]]);
});

test('the error of an index that needs a part names it', async () => {
  await within(['index', '-q', '--force', '--hash', 'xxh3', fixture('words.txt'), '-o', 'part.index']);
  const hint = 'open it with { with: [hashes] }';
  await expect(openIndex(bytesOf('part.index'))).rejects.toMatchObject({ code: 'usage', hint });
});

describe('an error says what is wrong', () => {
  test('with a file that is not an index, or has another size', async () => {
    await within(['build', '-q', fixture('words.txt'), '-o', 'words.bloom']);
    await expect(openIndex(bytesOf('words.bloom'))).rejects.toMatchObject({ code: 'format' });
    await expect(openIndex(bytesOf('logs.index').subarray(0, -1))).rejects.toMatchObject({ code: 'format' });
    await expect(openIndex(new Uint8Array(0))).rejects.toMatchObject({ code: 'format' });
  });

  test('with any byte changed: no look-up gives another answer', async () => {
    const bytes = bytesOf('logs.index');
    const key = keyOf(107, 1);
    const expected = await (await openIndex(bytes)).filesWith(key);
    let errors = 0;
    for (let at = 0; at < bytes.length; at += 997) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 64;
      const found = await openIndex(changed)
        .then((index) => index.filesWith(key))
        .catch((error: { code?: string }) => error.code);
      if (found === 'format') errors++;
      else expect(found).toEqual(expected);
    }
    expect(errors).toBeGreaterThan(5);
  });

  test('with a file that was replaced', async () => {
    const host = createHost(bytesOf('logs.index'), {});
    const index = await openIndex(URL_OF_HOST, { fetch: host.fetch });
    await within(['index', '-q', '--force', '--seed', '5', '-r', 'logs', '-o', 'seeded.index']);
    host.bytes = bytesOf('seeded.index');
    await expect(index.filesWith(keyOf(107, 1))).rejects.toMatchObject({ code: 'changed' });
  });

  test('after it is closed', async () => {
    const index = await openIndex(bytesOf('logs.index'));
    index.close();
    await expect(index.filesWith('key')).rejects.toMatchObject({ code: 'usage' });
  });
});
