// Filters of other systems as the commands make, change and merge them.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFilter } from '../../src/library/index.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();

const ASKED = readFileSync(fixture('formats/asked.txt'), 'utf8').split('\n').slice(0, -1);
const MEMBERS = ASKED.slice(0, 200);
const lines = (keys: readonly string[]) => keys.map((key) => `${key}\n`).join('');

beforeAll(() => {
  writeFileSync(path('members'), lines(MEMBERS));
  writeFileSync(path('first'), lines(MEMBERS.slice(0, 90)));
  writeFileSync(path('rest'), lines(MEMBERS.slice(90)));
});

const bytesIn = (name: string) => readFileSync(path(name));

// The sizes are those of files that these systems made from the same keys.
test.each([
  ['dcso', '1%', 'dcso/a.bloom'],
  ['guava', '1%', 'guava/mitz64.guava'],
  ['guava-33.4', '1%', 'guava/mitz64.guava'],
  ['guava-mitz32', '1%', 'guava/mitz32.guava'],
  ['spark-1', '3%', 'spark/v1.spark'],
  ['spark', '3%', 'spark/v2.spark'],
  ['bits-and-blooms', '1%', 'bits-and-blooms/p01.bin'],
  ['poppy', '1%', 'poppy/none-p01.poppy'],
  ['poppy-space', '10%', 'poppy/space-p10.poppy'],
  ['redisbloom-raw', '1%', 'redisbloom/plain.bits'],
])('build --format %s -p %s makes the file of the system', async (format, fpr, file) => {
  expect(await within(['build', '--format', format, '-p', fpr, 'members', '-o', format])).toMatchObject({
    status: 0,
    stdout: '',
  });
  expect(bytesIn(format).equals(readFileSync(fixture(`formats/${file}`)))).toBe(true);
});

test('--like makes a filter of poppy without the keys of the other', async () => {
  const build = (...args: string[]) => within(['build', ...args], { stdin: 'a\nb\n' });
  await build('--format', 'poppy', '-n', '1000', '-p', '1%', '-o', 'first.poppy');
  expect((await build('--like', 'first.poppy', '-o', 'second.poppy')).status).toBe(0);
  expect(bytesIn('second.poppy').equals(bytesIn('first.poppy'))).toBe(true);
});

describe('a filter of DCSO', () => {
  beforeAll(async () => {
    for (const [name, keys] of Object.entries({ one: 'first', other: 'rest' }))
      expect((await within(['build', '--format', 'dcso', '-n', '200', keys, '-o', name])).status).toBe(0);
  });

  test('is described truly', async () => {
    const { stdout } = await within(['build', '--format', 'dcso', '-n', '200', 'first', '-o', 'said', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'dcso',
      hash: 'fnv1',
      bits: 1917,
      hashes: 7,
      bytes: 288,
      capacity: 200,
      inserted: 90,
    });
  });

  test('is copied by --like without the data of its user', async () => {
    const withData = fixture('formats/dcso/with-data.bloom');
    expect((await within(['build', '--like', withData, 'members', '-o', 'like'])).status).toBe(0);
    expect(bytesIn('like').readBigUInt64LE(40)).toBe(200n);
    expect(bytesIn('like').length).toBeLessThan(readFileSync(withData).length);
  });

  test('keeps the data of its user when keys are added', async () => {
    const before = readFileSync(fixture('formats/dcso/with-data.bloom'));
    writeFileSync(path('data'), before);
    expect(await within(['add', 'data'], { stdin: 'some\nnew\n' })).toMatchObject({ status: 0 });
    const bitsEnd = 48 + 8 * Math.ceil(Number(before.readBigUInt64LE(32)) / 64);
    expect(bytesIn('data').length).toBe(before.length);
    expect(bytesIn('data').subarray(bitsEnd).equals(before.subarray(bitsEnd))).toBe(true);
    expect((await within(['query', '-c', 'data'], { stdin: 'some\nnew\n' })).stdout).toBe('2\n');
  });

  test('is merged if the first one comes through a pipe', async () => {
    expect(shell('cat one | $BLOOM merge - other -o both').stderr).toMatch(/holds 2 filters, 200 keys/);
    expect((await within(['query', '-c', 'both', 'members'])).stdout).toBe('200\n');
    expect((await within(['merge', '--dry-run', 'one', 'other'])).stderr).toMatch(/would hold 2 filters, 200 keys/);
  });

  test('is not merged with filters of other parameters', async () => {
    expect(
      (await within(['build', '--format', 'dcso', '-n', '200', '-p', '1.0001%', 'first', '-o', 'less'])).status,
    ).toBe(0);
    expect(await within(['merge', 'one', 'less', '-o', 'none'])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/p is 0\.010001 in less, 0\.01 in one/),
    });
    expect((await within(['merge', 'one', fixture('formats/guava/k1.guava'), '-o', 'none'])).stderr).toMatch(
      /format is guava in/,
    );
  });

  test('that is compressed is not changed in place', async () => {
    writeFileSync(path('a.bloom.gz'), readFileSync(fixture('formats/dcso/a.bloom.gz')));
    expect(await within(['add', 'a.bloom.gz'], { stdin: 'new\n' })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/cannot be changed in place; decompress it first/),
    });
  });
});

// Each begins like a file of its format that bloom can change. The message says why bloom cannot change this one.
test.each([
  ['add', 'bits-and-blooms/json.json', 'it is JSON'],
  ['add', 'bits-and-blooms/gob.gob', 'it is a stream of encoding/gob'],
  ['add', 'guava/mitz64.ser', 'it is a Java object'],
  ['add', 'spark/v2.ser', 'it is a Java object'],
  ['add', 'hadoop/counting.bin', 'it is a counting filter'],
  ['add', 'redisbloom/old2.dump', 'it was written by a version before 2.2'],
  ['merge', 'guava/mitz64.ser', 'it is a Java object'],
  ['merge', 'hadoop/hudi-dynamic.b64', 'it is a dynamic filter'],
  ['merge', 'pybloom/scalable.pybloom-4', 'it is scalable'],
])('%s refuses %s, as %s', async (command, name, reason) => {
  const file = path(name.replace('/', '-'));
  writeFileSync(file, readFileSync(fixture(`formats/${name}`)));
  const stated = name.endsWith('pybloom-4') ? ['--format', 'pybloom-4'] : [];
  writeFileSync(path('new'), 'new\n');
  const rest = command === 'add' ? [path('new')] : [file, '-o', 'none'];
  const { status, stderr } = await within([command, ...stated, file, ...rest]);
  expect(stderr).toContain(reason);
  expect(stderr).not.toContain('decompress');
  expect(status).toBe(2);
});

test.each([
  [['--format', 'dcso', '--kind', 'cuckoo'], /--kind has no effect: files of DCSO bloom do not store it/],
  [['--format', 'dcso', '-i'], /--ignore-case has no effect/],
  [['--format', 'dcso', '--seed', '1'], /--seed has no effect/],
  [['--format', 'dcso', '-m', '1000'], /DCSO bloom sizes its filters by -n and -p, not by -m/],
  [['--format', 'spark', '--seed', '4294967296'], /a seed of --format spark is from 0 to 2147483647/],
  [['--format', 'spark', '--seed', 'random'], /does not accept a random seed/],
  [['--format', 'dcso', '--key-type', 'uuid'], /and --key-type uuid does not exist there/],
  [['--key-type', 'hex'], /filters of the format bloomery have keys of text/],
  [['--format', 'guava', '-n', '20G'], /has at most 137,438,953,408 bits/],
  [['--format', 'poppy', '-n', '100'], /the filter is full/],
  [['--like', fixture('formats/redisbloom/plain.resp'), '--format', 'dcso'], /--like copies every parameter/],
] as const)('build %j is refused', async (flags, why) => {
  const outcome = await within(['build', ...flags, 'members', '-o', 'refused']);
  expect(outcome).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(why) });
});

test('typed keys are hashed as the system hashes them, also when they are added', async () => {
  const numbers = Array.from({ length: 50 }, (_, i) => `${i - 20}`);
  const typed = ['--key-type', 'int64'];
  expect(
    (
      await within(['build', '--format', 'guava', ...typed, '-n', '100', '-o', 'longs'], {
        stdin: lines(numbers.slice(9)),
      })
    ).status,
  ).toBe(0);
  expect((await within(['add', 'longs', ...typed], { stdin: lines(numbers.slice(0, 9)) })).status).toBe(0);
  expect((await within(['query', '-c', 'longs', ...typed], { stdin: lines(numbers) })).stdout).toBe('50\n');
});

test('a union of pybloom is not reported with the 0 keys that its file states', async () => {
  for (const name of ['first', 'rest'])
    expect((await within(['build', '--format', 'pybloom-4', '-n', '220', name, '-o', `${name}.pybloom`])).status).toBe(
      0,
    );
  const union = await within([
    'merge',
    'first.pybloom',
    'rest.pybloom',
    '--format',
    'pybloom-4',
    '-o',
    'union.pybloom',
  ]);
  expect(union.stderr).toMatch(/^union\.pybloom: holds 2 filters, about \d+ distinct keys, /);
  expect(bytesIn('union.pybloom').readBigUInt64LE(32)).toBe(0n);
  const { stdout } = await within(['stats', 'union.pybloom', '--format', 'pybloom-4', '--probes', '0']);
  expect(stdout).toMatch(/^ {2}added +about \d+ distinct$/m);
});

test('keys that any array of a growing filter has are not added again', async () => {
  const flags = ['--format', 'redisbloom', '-n', '10', '-p', '1e-6'];
  expect((await within(['build', ...flags, 'members', '-o', 'arrays.resp'])).status).toBe(0);
  const { stdout } = await within(['stats', '--probes', '0', '--json', 'arrays.resp']);
  // Arrays of 10, 20, 40, 80 and 160 keys.
  expect(JSON.parse(stdout)).toMatchObject({ inserted: MEMBERS.length });
  const before = bytesIn('arrays.resp');
  for (const again of ['members', 'first', 'rest']) {
    expect((await within(['add', 'arrays.resp', again])).status).toBe(0);
    expect(bytesIn('arrays.resp').equals(before)).toBe(true);
  }
});

test('filters of RedisBloom are concatenated, and then grow', async () => {
  for (const name of ['first', 'rest'])
    expect((await within(['build', '--format', 'redisbloom', '-n', '60', name, '-o', `${name}.resp`])).status).toBe(0);
  expect((await within(['merge', 'first.resp', 'rest.resp', '-o', 'chain.resp'])).status).toBe(0);
  expect((await within(['add', 'chain.resp'], { stdin: lines(ASKED.slice(200)) })).status).toBe(0);
  const { stdout } = await within([
    'stats',
    'chain.resp',
    '--json',
    '--probes',
    '0',
    '--present',
    fixture('formats/asked.txt'),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'scalable', present: { missing: 0 } });
  expect(JSON.parse(stdout).sliceFill.length).toBeGreaterThan(4);
});

describe('size --format', () => {
  const sized = async (...flags: string[]) => await within(['size', ...flags]);

  test('states what systems allocate', async () => {
    const { stdout } = await sized('-n', '200', '-p', '1%', '--format', 'dcso', '--format', 'redisbloom', '--json');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toMatchObject([
      { format: 'dcso', bits: 1917, hashes: 7, bytes: 288 },
      { format: 'redisbloom', bits: 2240, hashes: 8, bytes: 452 },
    ]);
    expect((await sized('-n', '220', '--bits-per-key', '10', '--format', 'rocksdb', '--csv')).stdout).toMatch(
      /^format,kind,.*\nrocksdb,blocked,2560,6,5,325,/,
    );
  });

  test('compares them with each other and with bloomery’s own format', async () => {
    const { stdout, stderr, status } = await sized('-n', '1M', '-p', '1%', '--format', 'all');
    expect(stdout).toMatch(/^format +keys .*\nbloom +1,000,000/);
    expect(stdout).toMatch(/^cassandra +1,000,000 .*add, merge$/m);
    expect(stderr).toMatch(/RocksDB sizes its filters by -n and --bits-per-key, not by -p/);
    expect(status).toBe(0);
  });

  test('prints a table if too little is stated, and the rate with more keys', async () => {
    expect((await sized('--format', 'dcso')).stdout.match(/^dcso/gm)?.length).toBe(6);
    expect((await sized('-n', '1k', '-p', '1%', '--format', 'dcso', '--overfill')).stdout).toMatch(
      /^ +10x +10,000 +99/m,
    );
  });

  test.each([
    [['-n', '10', '-m', '8k', '--format', 'guava'], /Guava sizes its filters by -n and -p, not by -m/],
    [['-n', '10', '-p', '1e-9', '--format', 'cassandra'], /Cassandra makes no filter with a rate below/],
    [['-n', '10', '-p', '1%', '--format', 'dcso', '--kind', 'cuckoo'], /--kind has no effect/],
    [['--format', 'other'], /expected all or one of: bloomery, dcso/],
  ])('%j is refused', async (flags, why) => {
    expect(await sized(...flags)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(why) });
  });
});

describe('a table of goleveldb or of LevelDB before 1.18', () => {
  const table = fixture('formats/leveldb/goleveldb.ldb');
  const doubt = 'it was written by goleveldb, or by LevelDB before 1.18';

  test('is queried with one warning, unless its system is stated', async () => {
    const { stdout, stderr, status } = await within(['query', table, '-e', 'ab', '-e', 'k']);
    expect({ stdout, status }).toEqual({ stdout: 'ab\nk\n', status: 0 });
    expect(stderr).toMatch(
      /^bloom: warning: \S+goleveldb\.ldb: it was written by goleveldb, or by LevelDB before 1\.18\. [^\n]+\n$/,
    );
    for (const format of ['goleveldb', 'leveldb-1.17'])
      expect((await within(['query', table, '-e', 'ab', '--format', format])).stderr).toBe('');
  });

  test('causes one warning together with others under --which', async () => {
    for (const name of ['a.ldb', 'b.ldb']) writeFileSync(path(name), readFileSync(table));
    const { stderr } = await within(['query', '--which', 'a.ldb', 'b.ldb', '-e', 'ab']);
    expect(stderr.split('\n')).toEqual([expect.stringContaining(`a.ldb and 1 other file: ${doubt}`), '']);
  });

  test('has a remark in stats and in the library', async () => {
    const { stdout } = await within(['stats', '--json', '--probes', '0', table]);
    expect(JSON.parse(stdout).remarks).toEqual([expect.stringContaining(doubt)]);
    const filter = await openFilter(table);
    expect(filter.stats().remarks).toEqual([expect.stringContaining(doubt)]);
    filter.close();
    const stated = await openFilter(table, { format: 'goleveldb' });
    expect(stated.stats().remarks).toEqual([]);
    stated.close();
  });
});
