// An index of files: no misses, as many wrong files as it states, and what each command reports about it.

import {
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { PYTHON } from '../python/python.ts';
import { decodeIndex, referenceRows } from '../reference/index-file.ts';
import { below, createRandom } from '../reference/random.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { outcomeOf } from '../starter.ts';
import { scratch } from './run.ts';

const { path, within, shell } = scratch();

/** The distinct keys of each file. */
const ORACLE = new Map<string, ReadonlySet<string>>();
const FILES = 60;
const VOCABULARY = 20_000;

/** Files of 0 to some thousands of keys, some of them compressed. Keys repeat. */
function writeFiles(): void {
  const random = createRandom(33);
  for (let i = 0; i < FILES; i++) {
    const lines = i === 0 ? 0 : Math.floor(2 ** (below(random, 1300) / 100));
    const keys = Array.from({ length: lines }, () => `token-${below(random, VOCABULARY)}`);
    const name = `logs/${i % 2 === 0 ? 'even' : 'odd'}/${i}.log${i % 3 === 0 ? '.gz' : ''}`;
    const text = keys.map((key) => `${key}\n`).join('');
    writeFileSync(path(name), i % 3 === 0 ? gzipSync(text) : text);
    ORACLE.set(name, new Set(keys));
  }
}

beforeAll(async () => {
  for (const folder of ['logs/even', 'logs/odd/empty', 'two']) mkdirSync(path(folder), { recursive: true });
  writeFiles();
  expect(await within(['index', '-q', '-r', 'logs', '-o', 'logs.index'])).toEqual({
    stdout: '',
    stderr: '',
    status: 0,
  });
  writeFileSync(path('two/a.txt'), 'Alpha one\nbeta two\n');
  writeFileSync(path('two/b.txt'), 'beta three\n');
  writeFileSync(path('two/c.txt'), 'gamma four');
  expect((await within(['index', '-q', '--tokens', 'words', '-i', 'two/*.txt', '-o', 'two.index'])).status).toBe(0);
});

const READER = fileURLToPath(new URL('../python/reader.py', import.meta.url));
/** Files with few keys, which the reader in Python can read. */
const SOME = [2, 4, 5, 7, 8, 10].map((i) => `logs/${i % 2 === 0 ? 'even' : 'odd'}/${i}.log`);

const linesOf = (text: string) => text.split('\n').slice(0, -1);
const query = async (...args: readonly string[]) => await within(['query', ...args]);

describe('an index', () => {
  test('names every file that has a key, and other files at the stated rate', async () => {
    const random = createRandom(7);
    const members = [...new Set([...ORACLE.values()].flatMap((keys) => [...keys].slice(0, inLongRuns(200, 20))))];
    const absent = Array.from({ length: inLongRuns(20_000, 2000) }, () => `absent-${random()}`);
    const { stdout, status } = await within(['query', 'logs.index'], { stdin: [...members, ...absent, ''].join('\n') });
    expect(status).toBe(0);
    const pairs = new Set(linesOf(stdout));
    const wanted = [...ORACLE].flatMap(([name, keys]) =>
      members.filter((key) => keys.has(key)).map((key) => `${key}\t${name}`),
    );
    expect(wanted.length).toBeGreaterThan(members.length);
    expect(wanted.filter((line) => !pairs.has(line))).toEqual([]);
    const index = decodeIndex(readFileSync(path('logs.index')));
    const rates = index.files.map(({ ones, rows }) => (ones / rows) ** index.k);
    const expected = absent.length * rates.reduce((sum, rate) => sum + rate, 0);
    const deviation = Math.sqrt(absent.length * rates.reduce((sum, rate) => sum + rate * (1 - rate), 0));
    const wrong = [...pairs].filter((line) => line.startsWith('absent-')).length;
    expect(Math.abs(wrong - expected) / deviation).toBeLessThan(2.576);
    const ofLarge = index.files.flatMap(({ keys }, i) => (keys > 1000 ? [rates[i] ?? 1] : []));
    expect(ofLarge.length).toBeGreaterThan(5);
    expect(Math.max(...ofLarge)).toBeLessThan(0.0115);
  });

  test('follows the format, and describes the files', () => {
    const bytes = readFileSync(path('logs.index'));
    const { files, groups, k, targetFpr } = decodeIndex(bytes);
    expect([k, targetFpr]).toEqual([7, 0.01]);
    const named = [...ORACLE.keys()].toSorted((a, b) => (a < b ? -1 : 1));
    expect(files.map(({ name }) => name)).toEqual(named);
    for (const { name, size, modified, keys, rows, ones } of files) {
      const stat = statSync(path(name));
      const members = ORACLE.get(name) ?? new Set();
      expect({ name, size, modified, keys }).toEqual({
        name,
        size: stat.size,
        modified: stat.mtimeMs,
        keys: members.size,
      });
      if (members.size < inLongRuns(10_000, 100)) {
        const rowsOf = (key: string) => referenceRows(xxh64(Buffer.from(key), 0n), k, rows);
        expect(ones).toBe(new Set([...members].flatMap(rowsOf)).size);
      }
      const least = (-k * keys) / Math.log(1 - targetFpr ** (1 / k));
      expect(rows).toBeGreaterThanOrEqual(least);
      expect(rows).toBeLessThanOrEqual(Math.max(64, 1.0353 * least + 2));
    }
    expect(groups.flatMap((group) => group.files).toSorted((a, b) => a - b)).toEqual([...files.keys()]);
    for (const { files: columns } of groups) expect(columns).toEqual(columns.toSorted((a, b) => a - b));
  });

  test('gives the answers of another reader', async () => {
    const index = decodeIndex(readFileSync(path('logs.index')));
    const keys = Array.from({ length: inLongRuns(500, 40) }, (_, i) => `token-${i * 37}`);
    const { stdout } = await within(['query', '--json', 'logs.index'], { stdin: keys.join('\n') });
    for (const [i, line] of linesOf(stdout).entries()) {
      const files = index.filesWith(xxh64(Buffer.from(keys[i] ?? ''), 0n));
      expect(JSON.parse(line)).toEqual({ record: keys[i], match: files.length > 0, files });
    }
  });

  test('has the same bytes with any number of threads', async () => {
    mkdirSync(path('large'));
    for (let i = 0; i < 24; i++) {
      const keys = Array.from({ length: 3000 }, (_, j) => `user-${j}-of-file-${i % 5}\n`).join('');
      writeFileSync(path(`large/${i}`), keys.repeat(4));
    }
    const made = async (threads: number) => {
      expect(
        (await within(['index', '-q', '-r', 'large', '--threads', `${threads}`, '-o', `${threads}.index`])).status,
      ).toBe(0);
      return readFileSync(path(`${threads}.index`));
    };
    const alone = await made(1);
    expect(decodeIndex(alone).files).toHaveLength(24);
    for (const threads of inLongRuns([2, 3, 4, 8, 16], [3])) expect((await made(threads)).equals(alone)).toBe(true);
  });
});

describe('a query of an index', () => {
  test('prints the files with any key, with all, or without', async () => {
    expect(await query('two.index', '-e', 'BETA')).toEqual({ stdout: 'two/a.txt\ntwo/b.txt\n', stderr: '', status: 0 });
    expect((await query('two.index', '-e', 'beta', '-e', 'four')).stdout).toBe('two/a.txt\ntwo/b.txt\ntwo/c.txt\n');
    expect((await query('two.index', '--all', '-e', 'beta', '-e', 'two')).stdout).toBe('two/a.txt\n');
    expect((await query('two.index', '-v', '-e', 'beta')).stdout).toBe('two/c.txt\n');
    expect((await query('two.index', '-c', '-e', 'beta')).stdout).toBe('2\n');
    expect((await query('two.index', '-Z', '-e', 'beta')).stdout).toBe('two/a.txt\0two/b.txt\0');
    expect(await query('two.index', '-q', '-e', 'beta')).toEqual({ stdout: '', stderr: '', status: 0 });
    for (const flags of [[], ['-q'], ['--json']])
      expect((await query('two.index', '-e', 'nowhere', ...flags)).status).toBe(1);
    expect((await query('two.index', '--exit-zero', '-e', 'nowhere')).status).toBe(0);
    expect((await query('two.index', '-v', '-e', 'beta', '-e', 'four')).status).toBe(1);
  });

  test('looks up records of the standard input and of files', async () => {
    const { stdout } = await within(['query', 'two.index', '-f', '2'], { stdin: 'x beta\nnone\nx four' });
    expect(stdout).toBe('x beta\ttwo/a.txt\nx beta\ttwo/b.txt\nx four\ttwo/c.txt\n');
    writeFileSync(path('keys'), 'beta four\nbeta two\n');
    expect((await query('two.index', 'keys', '--tokens', 'words', '--all-fields')).stdout).toBe(
      'beta two\ttwo/a.txt\n',
    );
    expect((await within(['query', 'two.index', '-v'], { stdin: 'beta\nnowhere\n' })).stdout).toBe('nowhere\n');
    expect((await within(['query', 'two.index', '-c'], { stdin: 'beta\nnowhere\n' })).stdout).toBe('1\n');
    const missing = await query('two.index', 'keys', 'missing');
    expect(missing).toMatchObject({ stderr: 'bloom: cannot read missing: no such file or folder\n', status: 2 });
  });

  test('warns of files that changed, with --stale', async () => {
    for (const name of ['kept', 'changed', 'gone']) writeFileSync(path(`two/${name}.stale`), `${name}\n`);
    await within(['index', '-q', 'two/*.stale', '-o', 'stale.index']);
    expect((await query('stale.index', '--stale', '-e', 'kept')).stderr).toBe('');
    writeFileSync(path('two/changed.stale'), 'CHANGED\n');
    utimesSync(path('two/changed.stale'), 1, 1);
    expect(await query('stale.index', '--stale', '-e', 'kept')).toEqual({
      stdout: 'two/kept.stale\n',
      stderr:
        'bloom: warning: 1 file changed since stale.index was made: two/changed.stale; repeat its bloom index command with --update\n',
      status: 0,
    });
    rmSync(path('two/gone.stale'));
    expect((await query('stale.index', '--stale', '-e', 'kept')).stderr).toMatch(
      /2 files changed .* two\/changed.stale;/,
    );
    expect((await query('stale.index', '-e', 'kept')).stderr).toBe('');
    await within(['build', '-q', 'two/a.txt', '-o', 'a.bloom']);
    expect((await query('a.bloom', '--stale', '-e', 'x')).stderr).toMatch(/--stale has no effect: only an index/);
  });

  test('writes its results into a file', async () => {
    expect((await query('two.index', '-e', 'beta', '--output', 'names')).status).toBe(0);
    expect(readFileSync(path('names'), 'utf8')).toBe('two/a.txt\ntwo/b.txt\n');
  });

  test('selects the files for zgrep', () => {
    const [key = ''] = ORACLE.get('logs/even/12.log.gz') ?? [];
    const having = [...ORACLE].filter(([, keys]) => keys.has(key)).map(([name]) => name);
    expect(having).toContain('logs/even/12.log.gz');
    const search = (of: string) => `$BLOOM query logs.index -e ${of} -Z | xargs -0r zgrep -lxF ${of}`;
    expect(linesOf(shell(search(key)).stdout).toSorted()).toEqual(having.toSorted());
  });

  test.each([
    [['-n'], /--line-number has no effect/],
    [['--which'], /--which has no effect/],
    [['--all'], /--all has no effect: without -e/],
    [['-e', 'x', '-f', '2'], /--field has no effect: a key of -e is used whole/],
    [['-e', 'x', 'keys'], /keys come from -e, or from keys, not from both/],
    [['-e', 'x', '--json', '-c'], /--count has no effect/],
  ])('refuses %j', async (flags, message) => {
    const { stderr, status } = await query('two.index', ...flags);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});

describe('bloom index', () => {
  test('reports what it made', async () => {
    const { stdout, stderr } = await within([
      'index',
      '--json',
      'two/a.txt',
      'two/b.txt',
      'two/a.txt',
      '-o',
      'json.index',
    ]);
    expect(stderr).toMatch(
      /^json.index: 2 files with 3 distinct keys, 282 B, 752\.0 bits per key, rate 1\.00 %; .*keys\/s\n$/,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ file: 'json.index', files: 2, skippedFiles: 0, records: 3, keys: 3, groups: 1, bytes: 282 },
      ...{ hash: 'xxh64', seed: 0, ignoreCase: false, trim: false, hashes: 7, targetFpr: 0.01 },
    });
  });

  test('skips binary files in folders, and its own output', async () => {
    mkdirSync(path('mixed'));
    writeFileSync(path('mixed/a'), 'a\n');
    writeFileSync(path('mixed/picture.png'), Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1'));
    writeFileSync(path('mixed/two.index'), readFileSync(path('two.index')));
    symlinkSync(path('mixed'), path('mixed/loop'));
    symlinkSync(path('two/b.txt'), path('mixed/link'));
    const line = ['index', '-r', 'mixed', '-o', 'mixed/z.index', '--force'];
    for (let i = 0; i < 2; i++) {
      const { stderr, status } = await within(line);
      expect(stderr).toMatch(/^mixed\/z.index: 2 files with 2 distinct keys, .*; 2 files skipped that are not text; /);
      expect(status).toBe(0);
    }
    expect((await query('mixed/z.index', '-e', 'beta three')).stdout).toBe('mixed/link\n');
  });

  test.each(inLongRuns([1, 2, 3, 8], [1, 3]))(
    'skips compressed files in folders that are not text, with %d threads',
    async (threads) => {
      const picture = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1');
      mkdirSync(path('archives'), { recursive: true });
      await within(['build', '-q', 'two/a.txt', '--force', '-o', 'two.bloom']);
      shell('tar -czf archives/two.tgz two; gzip -c two.bloom > archives/two.bloom.gz');
      writeFileSync(path('archives/picture.gz'), gzipSync(picture));
      writeFileSync(path('archives/twice.gz'), gzipSync(gzipSync('beta\n')));
      writeFileSync(path('archives/text.gz'), gzipSync('beta\n'.repeat(10_000)));
      // Threads start for so many bytes.
      writeFileSync(path('archives/long'), 'gamma\n'.repeat(100_000));
      const line = ['index', '-r', 'archives', '--threads', `${threads}`, '--force', '-o', 'archives.index'];
      const { stderr, status } = await within(line, { chunk: 10_000 });
      expect(stderr).toMatch(
        /^archives.index: 2 files with 2 distinct keys, .*; 4 files skipped that are not text; .*\n$/,
      );
      expect(status).toBe(0);
      expect((await query('archives.index', '-e', 'beta')).stdout).toBe('archives/text.gz\n');
      // The user means a file that is named.
      const named = await within(['index', '-r', 'archives', 'archives/picture.gz', '--force', '-o', 'named.index']);
      expect(named.stderr).toContain('cannot read archives/picture.gz: it is a PNG picture, not text');
      expect(named.status).toBe(2);
    },
  );

  test('refuses a folder whose compressed files are no text, and an update counts no file that it skips', async () => {
    mkdirSync(path('changing'));
    writeFileSync(path('changing/a.gz'), gzipSync(Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1')));
    const line = ['index', '-r', 'changing', '-o', 'changing.index'];
    expect(await within(line)).toMatchObject({ stderr: expect.stringContaining('there is no text file'), status: 2 });
    writeFileSync(path('changing/b'), 'b\n');
    writeFileSync(path('changing/c.gz'), gzipSync('c\n'));
    expect((await within(line)).stderr).toContain('1 file skipped');
    writeFileSync(path('changing/c.gz'), readFileSync(path('changing/a.gz')));
    expect((await within([...line, '--update'])).stderr).toContain('(0 new, 0 changed, 1 kept, 1 gone)');
  });

  test('has the keys of text in any encoding that is read, from the first record to one without a newline', async () => {
    mkdirSync(path('encoded'));
    const text = 'alpha\nbeta\nomega';
    const marked = `\ufeff${text}`;
    const encoded = {
      ...{ plain: text, marked, 'gzip.gz': gzipSync(text), 'marked.gz': gzipSync(marked) },
      'members.gz': Buffer.concat([gzipSync('alpha\nbe'), gzipSync('ta\nomega')]),
      'padded.gz': Buffer.concat([gzipSync(text), Buffer.alloc(512)]),
      // The content is more than what is decoded at once.
      'large.gz': gzipSync(`alpha\nbeta\n${'omega\n'.repeat(2 ** 21)}`),
    };
    for (const [name, bytes] of Object.entries(encoded)) writeFileSync(path(`encoded/${name}`), bytes);
    const { stderr } = await within(['index', '-r', 'encoded', '-o', 'encoded.index']);
    expect(stderr).toMatch(/^encoded.index: 7 files with 21 distinct keys, /);
    const names = Object.keys(encoded).map((name) => `encoded/${name}`);
    for (const key of ['alpha', 'beta', 'omega'])
      expect(linesOf((await query('encoded.index', '-e', key)).stdout)).toEqual(expect.arrayContaining(names));
  });

  test('has all keys of a small compressed file with much content', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `${'repeated '.repeat(9)}${i}\n`).join('');
    const file = gzipSync(lines);
    expect(file.length).toBeLessThan(2 ** 17);
    writeFileSync(path('much.gz'), file);
    expect(await within(['index', '-q', '--force', 'much.gz', '-o', 'much.index'])).toMatchObject({ status: 0 });
    for (const i of [0, 1, 10_000, 19_999])
      expect((await within(['query', 'much.index', '-e', `${'repeated '.repeat(9)}${i}`])).stdout).toBe('much.gz\n');
  });

  test('accepts a list of names alone', async () => {
    writeFileSync(path('names.txt'), 'two/a.txt\ntwo/b.txt\n');
    const { stderr, status } = await within(['index', '--files-from', 'names.txt', '-o', 'listed.index']);
    expect(stderr).toMatch(/^listed.index: 2 files with 3 distinct keys/);
    expect(status).toBe(0);
  });

  test('skips unreadable files, and then replaces no index', async () => {
    const { stderr, status } = await within(['index', 'two/a.txt', 'missing', '-o', 'part.index']);
    expect(stderr).toMatch(
      /^bloom: cannot read missing: .*\nbloom: warning: part.index lacks the keys of 1 input that could not be read\n/,
    );
    expect(status).toBe(2);
    const before = readFileSync(path('part.index'));
    const again = await within(['index', 'two/b.txt', 'missing', '-o', 'part.index', '--force']);
    expect(again.stderr).toMatch(/part.index was left as it was: 1 input could not be read/);
    expect(readFileSync(path('part.index')).equals(before)).toBe(true);
  });

  test.each([
    [
      ['two', '-o', 'x.index'],
      /^bloom: two is a folder; add -r to read the files in it, as in bloom index -r two -o files.index\n$/,
    ],
    [['-', '-o', 'x.index'], /standard input has no name/],
    [['-o', 'x.index'], /^bloom: no file is named; name files, or folders with -r\n$/],
    [['no*such', '-o', 'x.index'], /no file matches no\*such/],
    [['-r', 'logs/odd/empty', '-o', 'x.index'], /there is no text file to index/],
    [['two/a.txt', '-o', 'two.index'], /two.index exists already/],
    [['two/a.txt', '-o', 'two/a.txt', '--force'], /two\/a.txt is both an input and the output/],
  ])('refuses %j', async (args, message) => {
    const { stderr, status } = await within(['index', ...args]);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});

describe.skipIf(!PYTHON)('the reader in Python', () => {
  const read = (file: string, keys: readonly string[]) =>
    outcomeOf(PYTHON, ['-I', '-S', READER, path(file)], { input: Buffer.from(keys.map((key) => `${key}\n`).join('')) });

  test('answers as the command does', async () => {
    await within([
      'index',
      '-q',
      '--hash',
      'xxh3',
      '--seed',
      '99',
      '--trim',
      '-p',
      '5%',
      ...SOME,
      '-o',
      'python.index',
    ]);
    const keys = [...[...ORACLE.values()].flatMap((of) => [...of].slice(0, 3)), ' token-7 ', 'absent'];
    const { stdout } = await within(['query', '--json', 'python.index'], { stdin: keys.join('\n') });
    const named = linesOf(stdout).map((line) => JSON.parse(line).files.join('\t'));
    expect(named.filter((files) => files !== '').length).toBeGreaterThan(10);
    expect(read('python.index', keys)).toEqual({ stdout: `${named.join('\n')}\n`, stderr: '', status: 0 });
    expect(read('two.index', ['BETA'])).toMatchObject({ stdout: 'two/a.txt\ttwo/b.txt\n' });
  });

  test('refuses a damaged index', () => {
    const bytes = readFileSync(path('two.index'));
    for (let at = 0; at < bytes.length; at += inLongRuns(5, 90)) {
      writeFileSync(
        path('broken.index'),
        Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 16 : byte)),
      );
      expect(read('broken.index', ['beta'])).toMatchObject({ stdout: '', status: 2 });
    }
  });
});

describe('stats of an index', () => {
  test('states the rates of its files', async () => {
    const { stdout, status } = await within(['stats', '--probes', '1k', '--json', '--verify', 'logs.index']);
    expect(status).toBe(0);
    const { files, groups, k } = decodeIndex(readFileSync(path('logs.index')));
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ file: 'logs.index', files: FILES, hashes: 7, targetFpr: 0.01, verified: true });
    expect(report.keys).toBe([...ORACLE.values()].reduce((sum, keys) => sum + keys.size, 0));
    const rateOf = (file: number) => ((files[file]?.ones ?? 0) / (files[file]?.rows ?? 1)) ** k;
    expect(report.expectedFiles).toBeCloseTo(
      [...files.keys()].reduce((sum, file) => sum + rateOf(file), 0),
      9,
    );
    expect(report.groups).toHaveLength(groups.length);
    for (const [i, { rows, files: columns }] of groups.entries()) {
      const keys = columns.map((file) => files[file]?.keys ?? 0);
      expect(report.groups[i]).toMatchObject({ rows, files: columns.length, mostKeys: Math.max(...keys) });
      expect(report.groups[i].highestFpr).toBeCloseTo(Math.max(...columns.map(rateOf)), 12);
    }
  });

  test('prints them as text', async () => {
    const { stdout } = await within(['stats', '--probes', '1k', 'two.index', 'logs.index']);
    expect(stdout).toMatch(/^two.index\n {2}kind +index of files, xxh64, seed 0, ignoring case\n/);
    expect(stdout).toMatch(/files +3 with 8 distinct keys\n/);
    expect(stdout).toMatch(/\n\nlogs.index\n/);
    expect(stdout).toMatch(/keys per file +files +mean rate +highest rate\n/);
  });

  const FILTER_FLAGS = [['--absent', 'keys'], ['--prometheus'], ['--plot'], ['--format', 'guava'], ['--column', 'id']];
  test.each(FILTER_FLAGS)('refuses %s', async (...flags) => {
    const { stderr, status } = await within(['stats', '--probes', '1k', 'two.index', ...flags]);
    expect(stderr).toMatch(/two.index is an index of files, and --\w+.* for filters/);
    expect(status).toBe(2);
  });

  test('notices any changed byte, with --verify', async () => {
    const bytes = readFileSync(path('logs.index'));
    for (let at = 128; at < bytes.length; at += inLongRuns(101, 9001)) {
      writeFileSync(
        path('broken.index'),
        Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 4 : byte)),
      );
      expect(await within(['stats', '--probes', '1k', '--verify', 'broken.index'])).toMatchObject({ status: 2 });
    }
  });
});

describe('commands for filters refuse an index', () => {
  test.each([
    ['add', ['two.index', 'keys']],
    ['query', ['-F', 'two.index', '-e', 'x']],
    ['build', ['two.index', '-o', 'x']],
  ])('%s', async (command, args) => {
    const { stderr, status } = await within([command, ...args]);
    expect(stderr).toMatch(/two.index is (an index of files|a filter of bloom index)/);
    expect(status).toBe(2);
  });
});

describe('a damaged index', () => {
  test('is an error if a query reads any changed byte', async () => {
    const bytes = readFileSync(path('two.index'));
    const random = createRandom(9);
    const places = [...bytes.keys()].filter((at) => at >= 8);
    for (const at of places.filter((_, i) => i % inLongRuns(1, 29) === 0)) {
      const broken = Uint8Array.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ (1 << below(random, 8));
      writeFileSync(path('broken.index'), broken);
      const { stdout, stderr, status } = await query('broken.index', '-e', 'beta');
      expect({ at, stdout, status }).toEqual({ at, stdout: '', status: 2 });
      expect(stderr).toMatch(
        /^bloom: broken.index (is damaged: .*; restore a copy, or build it again|has .* which this bloom does not know; .*)\n$/,
      );
    }
  });

  test('an index that is cut off or has more bytes is an error', async () => {
    const bytes = readFileSync(path('logs.index'));
    for (const length of [20, 127, 128, 5000, bytes.length - 1]) {
      writeFileSync(path('broken.index'), bytes);
      truncateSync(path('broken.index'), length);
      expect(await query('broken.index', '-e', 'beta')).toMatchObject({ stdout: '', status: 2 });
    }
    writeFileSync(path('broken.index'), Buffer.concat([bytes, bytes.subarray(0, 1)]));
    expect((await query('broken.index', '-e', 'beta')).stderr).toMatch(
      /it has \d+ bytes instead of the \d+ of its header/,
    );
  });
});

test('files without keys, and files that are none, are named', async () => {
  shell('mkfifo named; : > none; printf "a\\nb\\n" > few');
  expect((await within(['index', 'none', '-o', 'none.index'])).stderr).toContain(
    'bloom: warning: the files have no keys, so no query will find one in none.index\n',
  );
  const { stderr, status } = await within(['index', 'named', 'few', '-o', 'named.index']);
  expect(stderr).toContain(
    'bloom: cannot index named: it is not a regular file; write what it gives to a file, and index that\n',
  );
  expect(status).toBe(2);
  await within(['index', '-q', 'few', '-o', 'one.index']);
  expect((await within(['merge', 'one.index', '-o', 'same.index'])).stderr).toMatch(
    /^same\.index: holds 1 file of 1 index with 2 distinct keys, /,
  );
});
