// An updated or merged index has the bytes of a new one.

import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { IS_LONG, inLongRuns } from '../long.ts';
import { decodeIndex } from '../reference/index-file.ts';
import { below, createRandom } from '../reference/random.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();

/** Writes a file whose lines are a token and the numbers from 1 to `lines`. */
function writeKeys(name: string, token: string, lines: number): void {
  const text = Array.from({ length: lines }, (_, i) => `${token}-${i + 1}\n`).join('');
  writeFileSync(path(name), name.endsWith('.gz') ? gzipSync(text) : text);
}

const bytesOf = (name: string) => readFileSync(path(name));

async function index(...args: readonly string[]): Promise<string> {
  const { stderr, status } = await within(['index', ...args]);
  expect(status, stderr).toBe(0);
  return stderr;
}

beforeEach(() => {
  rmSync(path('logs'), { recursive: true, force: true });
  rmSync(path('logs.index'), { force: true });
  mkdirSync(path('logs'));
});

describe('--update', () => {
  test('makes the index that a new command makes, after any additions, changes and removals of files', async () => {
    const random = createRandom(41);
    for (let round = 0; round < inLongRuns(40, 6); round++) {
      for (let i = 0; i < 5; i++) {
        const file = `logs/${below(random, 30)}.log${below(random, 4) === 0 ? '.gz' : ''}`;
        if (below(random, 4) === 0) rmSync(path(file), { force: true });
        // Signatures of all lengths, some of which are equal.
        else writeKeys(file, `${round}`, below(random, 3) === 0 ? 100 : below(random, 3000));
      }
      const threads = inLongRuns([1, 2, 3, 4, 8, 16], [1, 3]);
      const count = `${threads[round % threads.length]}`;
      await index('-q', '-r', 'logs', '--threads', count, '--update', '-o', 'logs.index');
      await index('-q', '-r', 'logs', '--force', '-o', 'new.index');
      expect(bytesOf('logs.index').equals(bytesOf('new.index'))).toBe(true);
    }
    expect(decodeIndex(bytesOf('logs.index')).files.length).toBe(readdirSync(path('logs')).length);
  });

  test.runIf(IS_LONG)('keeps the signatures of groups that are read in several pieces', async () => {
    for (const name of ['a', 'b', 'c']) writeKeys(`logs/${name}`, name, 500_000);
    await index('-q', '-r', 'logs', '-o', 'logs.index');
    writeKeys('logs/d', 'd', 10);
    await index('-q', '-r', 'logs', '--update', '-o', 'logs.index');
    await index('-q', '-r', 'logs', '--force', '-o', 'new.index');
    expect(bytesOf('logs.index').equals(bytesOf('new.index'))).toBe(true);
  });

  test('with --checksum compares contents, and makes the index that a new command makes', async () => {
    const line = ['-r', 'logs', '--checksum', '-o', 'logs.index'];
    for (const name of ['touched', 'forged', 'resized', 'gone', 'packed.gz']) writeKeys(`logs/${name}`, 'old', 9);
    writeFileSync(path('logs/empty'), '');
    // Longer than one piece of a checksum.
    writeFileSync(path('logs/large'), Buffer.alloc(2 ** 20 + 7, 'large\n'));
    utimesSync(path('logs/forged'), 1e9, 1e9);
    expect(await index('--update', ...line)).toMatch(/^logs.index: 7 files /);
    for (const { name, size, checksum } of decodeIndex(bytesOf('logs.index')).files) {
      const bytes = bytesOf(name);
      const pieces = Array.from({ length: Math.max(1, Math.ceil(size / 2 ** 20)) }, (_, i) =>
        bytes.subarray(i * 2 ** 20, (i + 1) * 2 ** 20),
      );
      expect(checksum).toBe(pieces.reduce((seed, piece) => xxh64(piece, seed), 0n));
    }
    for (const name of ['touched', 'empty', 'large', 'packed.gz']) utimesSync(path(`logs/${name}`), 5e8, 5e8);
    writeKeys('logs/forged', 'new', 9);
    utimesSync(path('logs/forged'), 1e9, 1e9);
    writeKeys('logs/resized', 'new', 10);
    rmSync(path('logs/gone'));
    expect(await index('--update', ...line)).toMatch(/^logs.index: 6 files \(0 new, 2 changed, 4 kept, 1 gone\) /);
    await index('-q', '-r', 'logs', '--checksum', '--force', '-o', 'new.index');
    expect(bytesOf('logs.index').equals(bytesOf('new.index'))).toBe(true);
    expect((await within(['query', 'logs.index', '-e', 'new-3'])).stdout).toBe('logs/forged\nlogs/resized\n');
    // Without the flag, sizes and times decide, and the checksums stay.
    utimesSync(path('logs/touched'), 6e8, 6e8);
    expect(await index('-r', 'logs', '--update', '-o', 'logs.index')).toMatch(/\(0 new, 1 changed, 5 kept, 0 gone\)/);
    await index('-q', '-r', 'logs', '--checksum', '--force', '-o', 'new.index');
    expect(bytesOf('logs.index').equals(bytesOf('new.index'))).toBe(true);
    expect(JSON.parse((await within(['stats', '--probes', '1k', '--json', 'logs.index'])).stdout)).toMatchObject({
      checksums: true,
    });
  });

  test('with --checksum has the same bytes with any number of threads', async () => {
    for (let i = 0; i < 24; i++) writeKeys(`logs/${i}`, `file-${i % 5}`, 14_000);
    const made = async (threads: number) => {
      await index('-q', '-r', 'logs', '--checksum', '--force', '--threads', `${threads}`, '-o', 'logs.index');
      return bytesOf('logs.index');
    };
    const alone = await made(1);
    for (const threads of inLongRuns([2, 3, 4, 8, 16], [3])) expect((await made(threads)).equals(alone)).toBe(true);
  });

  test('with --checksum refuses an index without checksums, which --update alone accepts', async () => {
    writeKeys('logs/a', 'old', 9);
    await index('-q', '-r', 'logs', '-o', 'logs.index');
    expect(await within(['index', '-r', 'logs', '--update', '--checksum', '-o', 'logs.index'])).toEqual({
      stdout: '',
      stderr: 'bloom: logs.index was made without --checksum; repeat its flags, or replace --update by --force\n',
      status: 2,
    });
    expect(await index('-r', 'logs', '--update', '-o', 'logs.index')).toMatch(/1 kept/);
    expect(await index('-r', 'logs', '--checksum', '--force', '-o', 'logs.index')).toMatch(/^logs.index: 1 file /);
    expect(await index('-r', 'logs', '--checksum', '--update', '-o', 'logs.index')).toMatch(/1 kept/);
  });

  test('reads only new and changed files, and reports their numbers', async () => {
    for (const name of ['changed', 'gone', 'kept']) writeKeys(`logs/${name}`, 'old', 9);
    const [atime, mtime] = [1e9, 1e9];
    utimesSync(path('logs/kept'), atime, mtime);
    expect(await index('-r', 'logs', '--update', '-o', 'logs.index')).toMatch(/^logs.index: 3 files with 27 /);
    writeKeys('logs/changed', 'new', 10);
    writeKeys('logs/added', 'new', 5);
    rmSync(path('logs/gone'));
    writeKeys('logs/kept', 'now', 9);
    utimesSync(path('logs/kept'), atime, mtime);
    const { stdout, stderr } = await within(['index', '--json', '-r', 'logs', '--update', '-o', 'logs.index']);
    expect(stderr).toMatch(/^logs.index: 3 files \(1 new, 1 changed, 1 kept, 1 gone\) with 24 distinct keys, /);
    const changes = { newFiles: 1, changedFiles: 1, keptFiles: 1, goneFiles: 1 };
    expect(JSON.parse(stdout)).toMatchObject({ files: 3, records: 15, keys: 24, ...changes });
    const { filesWith } = decodeIndex(bytesOf('logs.index'));
    expect(filesWith(xxh64(Buffer.from('old-1'), 0n))).toEqual(['logs/kept']);
    expect(filesWith(xxh64(Buffer.from('new-1'), 0n))).toEqual(['logs/added', 'logs/changed']);
  });

  test('keeps the rate, the hash and the seed of the index', async () => {
    writeKeys('logs/a', 'a', 100);
    await index('-q', 'logs/a', '-p', '0.1%', '--hash', 'xxh3', '--seed', '7', '-o', 'logs.index');
    writeKeys('logs/b', 'b', 200);
    await index('-q', 'logs/a', 'logs/b', '--update', '-o', 'logs.index');
    await index('-q', 'logs/a', 'logs/b', '-p', '0.1%', '--hash', 'xxh3', '--seed', '7', '--force', '-o', 'new.index');
    expect(bytesOf('logs.index').equals(bytesOf('new.index'))).toBe(true);
  });

  test('does not change the index if a file cannot be read', async () => {
    writeKeys('logs/a', 'a', 10);
    await index('-q', 'logs/a', '-o', 'logs.index');
    const before = bytesOf('logs.index');
    const { stderr, status } = await within(['index', 'logs/a', 'logs/missing', '--update', '-o', 'logs.index']);
    expect(stderr).toMatch(/logs.index was left as it was: 1 input could not be read/);
    expect(status).toBe(2);
    expect(bytesOf('logs.index').equals(before)).toBe(true);
  });

  test.each([
    [['-p', '2%'], /^bloom: logs.index was made with -p 0.01; repeat its flags, or replace --update by --force\n$/],
    [['--seed', '1'], /was made with --seed 0;/],
    [['--trim'], /was made without --trim;/],
    [['--tokens', 'words'], /was made with other flags that choose keys, such as --tokens or -f;/],
    [['--force'], /--force has no effect: --update replaces the index/],
  ])('refuses %j', async (flags, message) => {
    writeKeys('logs/a', 'a', 10);
    await index('-q', 'logs/a', '-o', 'logs.index');
    const { stderr, status } = await within(['index', ...flags, 'logs/a', '--update', '-o', 'logs.index']);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  test('replaces only an index', async () => {
    writeKeys('logs/a', 'a', 10);
    await within(['build', '-q', 'logs/a', '--force', '-o', 'a.bloom']);
    expect(await within(['index', 'logs/a', '--update', '-o', 'a.bloom'])).toEqual({
      stdout: '',
      stderr: 'bloom: a.bloom is not an index of files; choose another file after -o\n',
      status: 2,
    });
  });
});

describe('merge of indexes', () => {
  beforeEach(async () => {
    for (const [i, name] of ['a', 'b', 'c', 'd', 'e'].entries()) writeKeys(`logs/${name}`, name, i < 3 ? 100 : 100 * i);
    await index('-q', '--force', 'logs/a', 'logs/b', '-o', 'ab.index');
    await index('-q', '--force', 'logs/c', 'logs/d', 'logs/e', '-o', 'cde.index');
  });

  test('makes the index of all their files', async () => {
    const { stdout, stderr, status } = await within([
      'merge',
      '--json',
      '--force',
      'ab.index',
      'cde.index',
      '-o',
      'all',
    ]);
    expect(stderr).toMatch(/^all: holds 5 files of 2 indexes with 1,000 distinct keys, /);
    expect(JSON.parse(stdout)).toMatchObject({ file: 'all', files: 5, keys: 1000, indexes: 2, hashes: 7 });
    expect(status).toBe(0);
    await index('-q', '--force', '-r', 'logs', '-o', 'logs.index');
    expect(bytesOf('all').equals(bytesOf('logs.index'))).toBe(true);
    for (const [name, ...files] of [
      ['ab.index', 'logs/a', 'logs/b'],
      ['cde.index', 'logs/c', 'logs/d', 'logs/e'],
    ] as const)
      await index('-q', '--checksum', '--force', ...files, '-o', name);
    await within(['merge', '-q', '--force', 'ab.index', 'cde.index', '-o', 'all']);
    await index('-q', '--checksum', '--force', '-r', 'logs', '-o', 'logs.index');
    expect(bytesOf('all').equals(bytesOf('logs.index'))).toBe(true);
    const dry = await within(['merge', '--dry-run', 'ab.index', 'cde.index']);
    expect(dry.stderr).toMatch(/^the index: would hold 5 files of 2 indexes /);
  });

  test('refuses indexes that do not fit together', async () => {
    const merging = async (...names: readonly string[]) => await within(['merge', ...names, '--dry-run']);
    expect((await merging('ab.index', 'ab.index')).stderr).toMatch(/ both have a file logs\/a; make one of them again/);
    expect((await merging('ab.index', 'logs/a')).stderr).toMatch(/ab.index is an index of files, and logs\/a is not;/);
    expect((await merging('ab.index', 'http://127.0.0.1:1/c.index')).stderr).toMatch(
      /c.index is on a server, .* download/,
    );
    await index('-q', '--force', 'logs/c', '-p', '2%', '--hash', 'xxh3', '-o', 'other.index');
    expect((await merging('ab.index', 'other.index')).stderr).toMatch(
      /they differ in -p \(0.01 and 0.02\), --hash \(xxh64 and xxh3\)/,
    );
    await index('-q', '--force', 'logs/c', '-f', '1', '-o', 'other.index');
    await index('-q', '--force', '--checksum', 'logs/c', '-o', 'summed.index');
    expect((await merging('ab.index', 'summed.index')).stderr).toMatch(/they differ in --checksum \(false and true\)/);
    const { stderr, status } = await merging('ab.index', 'other.index');
    expect(stderr).toMatch(/their keys were chosen by different flags, such as --tokens or -f; make them again/);
    expect(status).toBe(2);
  });
});
