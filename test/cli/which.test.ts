// In which of many filters, and in which of their parts, keys may be.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { IS_LONG } from '../long.ts';
import { encodeTable } from '../reference/formats/parquet.ts';
import { fixture, scratch } from './run.ts';

const { path, within } = scratch();

const column = (name: string, groups: readonly (readonly string[] | undefined)[]) => ({
  name,
  groups: groups.map((keys) => keys?.map((key) => new Uint8Array(Buffer.from(key)))),
});

/** Filters so empty that nothing else is found. */
const TABLES = {
  'a.parquet': [column('name', [['alpha', 'beta'], ['beta', 'gamma'], ['delta']])],
  'deep/b.parquet': [column('name', [['alpha']]), column('other', [['alpha', 'omega']])],
};

beforeAll(async () => {
  mkdirSync(path('lake/deep/empty'), { recursive: true });
  mkdirSync(path('gaps'));
  for (const [name, columns] of Object.entries(TABLES)) writeFileSync(path(`lake/${name}`), encodeTable(columns));
  writeFileSync(path('gaps/some.parquet'), encodeTable([column('name', [['gamma'], undefined])]));
  writeFileSync(path('gaps/none.parquet'), encodeTable([column('name', [undefined])]));
  writeFileSync(path('lake/notes.txt'), 'PAR1 is no filter\n');
  symlinkSync(path('lake'), path('lake/deep/loop'));
  writeFileSync(path('members'), 'alpha\nbeta\n');
  await within(['build', '-p', '1e-9', 'members', '-o', 'lake/own.bloom']);
});

const which = async (...args: readonly string[]) => await within(['query', '--which', ...args]);

describe('query --which', () => {
  test('prints filters and their parts, those in folders too', async () => {
    expect(await which('lake', '-e', 'alpha')).toEqual({
      stdout:
        'lake/a.parquet: row group 0\nlake/deep/b.parquet: row group 0, name\nlake/deep/b.parquet: row group 0, other\nlake/own.bloom\n',
      stderr: '',
      status: 0,
    });
    // If the query names a column, files without columns cannot have it.
    expect(await which('lake', '--column', 'other', '-e', 'omega')).toEqual({
      stdout: 'lake/deep/b.parquet: row group 0\n',
      stderr: 'bloom: warning: lake/a.parquet has no Bloom filter of other, so any key may be present\n',
      status: 0,
    });
    expect(await which('lake', '-e', 'nothing')).toEqual({ stdout: '', stderr: '', status: 1 });
  });

  test('opens compressed filters, and skips other compressed files', async () => {
    mkdirSync(path('packed'));
    for (const [name, bytes] of Object.entries({
      'a.bloom.gz': readFileSync(fixture('formats/dcso/a.bloom.gz')),
      'b.gz': readFileSync(fixture('formats/marcan/m1917.bloom.gz')),
      'own.bloom.gz': gzipSync(readFileSync(path('lake/own.bloom'))),
      'notes.txt.gz': gzipSync('notes\n'),
      'broken.gz': gzipSync('notes\n').subarray(0, 12),
      'nothing.gz': gzipSync(''),
    }))
      writeFileSync(path(`packed/${name}`), bytes);
    const [member = ''] = readFileSync(fixture('formats/asked.txt'), 'utf8').split('\n', 1);
    expect(await which('packed', '-e', member)).toEqual({
      stdout: 'packed/a.bloom.gz\npacked/b.gz\n',
      stderr: '',
      status: 0,
    });
  });

  test('prints each of several keys after a tab', async () => {
    const { stdout } = await within(['query', '--which', 'lake/own.bloom', 'lake/a.parquet'], {
      stdin: 'beta\r\nno\nalpha',
    });
    expect(stdout).toBe(
      [
        ...['lake/own.bloom\tbeta', 'lake/own.bloom\talpha', 'lake/a.parquet: row group 0\tbeta'],
        ...['lake/a.parquet: row group 0\talpha', 'lake/a.parquet: row group 1\tbeta', ''],
      ].join('\n'),
    );
    const asked = ['-f', '2', '-d', ',', 'lake/a.parquet'];
    const fields = await within(['query', '--which', ...asked], { stdin: '1,delta\n2\n3,no\n' });
    expect(fields.stdout).toBe('lake/a.parquet: row group 2\t1,delta\n');
  });

  test('prints which filters of key ranges may have a key', async () => {
    const tables = ['rocksdb/v6-partitions.sst', 'leveldb/bits10.ldb', 'hbase/gz-jenkins.hfile', 'rocksdb/v6.sst'];
    const files = tables.map((name) => fixture(`formats/${name}`));
    const [sst, ldb, hfile, full] = files;
    const { stdout } = await which(...files, '-e', 'k', '-e', 'user:52', '-e', 'nobody');
    expect(stdout.trimEnd().split('\n')).toEqual([
      `${sst}: filter at byte 6307, keys to "user:51"\tk`,
      `${sst}: filter at byte 6573, keys after "user:51"\tuser:52`,
      `${ldb}: data at byte 0, keys to "k4b"\tk`,
      `${ldb}: data at byte 8192, keys to 0xf1\tuser:52`,
      `${hfile}: chunk at byte 3208, keys from " leading space"\tk`,
      `${hfile}: chunk at byte 3667, keys from "kbc3bb00bb3e36738e862183ea03462e1955953…\tuser:52`,
      `${full}\tk`,
      `${full}\tuser:52`,
    ]);
    if (IS_LONG)
      expect((await which(fixture('formats/rocksdb'), '-e', 'user:52')).stdout).toContain(
        `${sst}: filter at byte 6573`,
      );
  });

  test('prints which rows of an index of PostgreSQL may have a key, by one column', async () => {
    const index = fixture('formats/postgres-bloom/text.bloomidx');
    expect((await which(index, '-e', 'k', '-e', 'kd7')).stdout).toBe(`${index}: (0,1)\tk\n${index}: (0,3)\tkd7\n`);
    expect(await which('--column', '2', index, '-e', 'k')).toMatchObject({ stdout: '', status: 1 });
    expect((await which('--column', '33', index, '-e', 'k')).stderr).toMatch(
      /has no column 33; state --column with a number from 1 to 32/,
    );
    const { stdout } = await within(['stats', '--probes', '1k', index]);
    expect(stdout).toMatch(/0\.12 rows are expected to match an absent value by chance/);
  });

  test('prints the first filter that has it, with --first-only', async () => {
    const { stdout } = await within(
      ['query', '--which', '--first-only', 'lake/a.parquet', 'lake/own.bloom', 'missing'],
      {
        stdin: 'beta\nalpha\n',
      },
    );
    expect(stdout).toBe('lake/a.parquet: row group 0\tbeta\nlake/a.parquet: row group 0\talpha\n');
    expect(await which('--first-only', 'lake/own.bloom', 'missing', '-e', 'beta')).toEqual({
      stdout: 'lake/own.bloom\n',
      stderr: '',
      status: 0,
    });
  });

  test('as JSON', async () => {
    const { stdout } = await which('--json', '--column', 'other', 'lake/deep/b.parquet', '-e', 'omega', '-e', '\udcff');
    expect(JSON.parse(stdout)).toEqual({
      ...{ record: 'omega', match: true, filters: ['lake/deep/b.parquet'], label: 'row group 0', column: 'other' },
    });
  });

  test('a part without a filter may have any key, and so may a file', async () => {
    expect(await which('gaps', '-e', 'no')).toEqual({
      stdout: 'gaps/some.parquet: row group 1\n',
      stderr: 'bloom: warning: gaps/none.parquet has no Bloom filter, so any key may be present\n',
      status: 0,
    });
    const asked = await within(['query', '--tag', 'gaps/some.parquet', '-e', 'no']);
    expect(asked.stdout).toBe('+no\n');
    expect(asked.stderr).toBe(
      'bloom: warning: gaps/some.parquet has no filter of row group 1: every key may be there\n',
    );
  });

  test('a faulty filter is reported, and the others are queried', async () => {
    writeFileSync(path('lake/cut.parquet'), encodeTable(TABLES['a.parquet']).subarray(0, 1000));
    const { stdout, stderr, status } = await which('lake', 'missing', '-e', 'delta');
    expect(stdout).toBe('lake/a.parquet: row group 2\n');
    expect(stderr).toMatch(/^bloom: lake\/cut.parquet is damaged: .*\nbloom: cannot read missing: .*\n$/);
    expect(status).toBe(2);
    expect(await which('-q', 'lake', '-e', 'delta')).toEqual({ stdout: '', stderr: '', status: 0 });
  });

  test('small filters give the same answers as filters that are read in parts, for all kinds and rules', async () => {
    mkdirSync(path('small'));
    const flags = [
      ...KINDS.map(({ name }) => ['--kind', name]),
      ...[['--seed', '7'], ['--ignore-case'], ['--hash', 'xxh3', '--trim'], ['--note', 'noted']],
    ];
    for (const [i, more] of flags.entries()) {
      writeFileSync(path('some'), `Common\nof ${i}\n`);
      const { status } = await within(['build', 'some', '-o', `small/${i}.bloom`, '-p', '1e-9', '-n', '100', ...more]);
      expect(status, more.join(' ')).toBe(0);
    }
    const whole = await within(['build', 'members', '-n', '1M', '-o', 'small/large.bloom']);
    expect(whole.status).toBe(0);
    const broken = readFileSync(path('small/3.bloom'));
    writeFileSync(path('small/broken.bloom'), broken.fill(1, 200, 201));
    writeFileSync(path('small/cut.bloom'), broken.subarray(0, 150));
    const keys = ['Common', 'of 3', 'alpha', 'absent', 'of 11'];
    const given = keys.flatMap((key) => ['-e', key]);
    const quick = await which('small', ...given);
    expect(await which('--format', 'bloomery', 'small', ...given)).toEqual(quick);
    expect(quick.stderr).toMatch(
      /^bloom: small\/broken.bloom is damaged: .*\nbloom: small\/cut.bloom is damaged: .*\n$/,
    );
    const lines = quick.stdout.split('\n');
    expect(lines.filter((line) => line.endsWith('Common'))).toHaveLength(flags.length);
    for (const line of ['small/3.bloom\tof 3', 'small/11.bloom\tof 11', 'small/large.bloom\talpha'])
      expect(lines).toContain(line);
    expect(lines.filter((line) => line.endsWith('absent') || line.endsWith('of 3'))).toHaveLength(1);
    // A record whose keys must all be present is found only where all keys are.
    const both = await within(['query', '--which', 'small', '--all-fields', '-f', '1,2', '-d', ','], {
      stdin: 'of 3,Common\nof 3,of 4\n',
    });
    expect(both.stdout).toBe('small/3.bloom\tof 3,Common\n');
  });
});
