import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { path, within } = scratch();

const LONGS = fixture('typed/guava/int64.guava');

function records(...lines: readonly string[]): string {
  writeFileSync(path('records'), lines.map((line) => `${line}\n`).join(''));
  return path('records');
}

describe('query --key-type', () => {
  test('looks up numbers in any notation', async () => {
    const { stdout, status } = await within([
      'query',
      LONGS,
      '--key-type',
      'int64',
      records('-1', '+1', ' 01', '-0', '99'),
    ]);
    expect(stdout).toBe('-1\n+1\n 01\n-0\n');
    expect(status).toBe(0);
  });

  test('records without such a value are absent, and counted', async () => {
    const lines = records('1', 'one', '9223372036854775808', '');
    const { stdout, stderr } = await within(['query', LONGS, '--key-type', 'int64', '--tag', lines]);
    expect(stdout).toBe('+1\n-one\n-9223372036854775808\n-\n');
    expect(stderr).toBe('bloom: warning: 3 records are no int64, and cannot be in the set\n');
    expect((await within(['query', LONGS, '--key-type', 'int64', '-c', '--json', lines])).stdout).toBe(
      '{"file":null,"records":4,"keys":1,"positives":1,"elsewhere":0}\n',
    );
  });

  test('of a field, and of any', async () => {
    const lines = records('1,x', 'x,1', 'x');
    const field = ['query', LONGS, '--key-type', 'int64', '-d', ',', '-f', '2', lines];
    expect((await within(field)).stdout).toBe('x,1\n');
    expect((await within(field)).stderr).toContain('2 records have no int64 in field 2');
    const any = await within(['query', LONGS, '--key-type', 'int64', '-d', ',', '-f', '1-', lines]);
    expect(any).toMatchObject({ stdout: '1,x\nx,1\n', stderr: '', status: 0 });
  });

  test('of a key of the command line', async () => {
    expect(await within(['query', LONGS, '--key-type', 'int64', '-e', '-1'])).toMatchObject({
      stdout: '-1\n',
      status: 0,
    });
    expect(await within(['query', LONGS, '--key-type', 'int64', '-e', 'one'])).toMatchObject({
      stderr: 'bloom: warning: 1 record is no int64, and cannot be in the set\n',
      status: 1,
    });
  });

  test('is refused for types that a system does not have, and for unknown words', async () => {
    expect(await within(['query', LONGS, '--key-type', 'date', '-e', '1'])).toMatchObject({
      stderr: expect.stringMatching(
        /^bloom: .*int64\.guava is a filter of Guava, and --key-type date does not exist there; state one of text, hex, utf16,/,
      ),
      status: 2,
    });
    await within(['build', '-o', path('own.bloom'), records('1')]);
    expect(await within(['query', path('own.bloom'), '--key-type', 'int64', '-e', '1'])).toMatchObject({
      stderr: expect.stringContaining('and --key-type int64 does not exist there; leave out --key-type'),
      status: 2,
    });
    expect(await within(['query', LONGS, '--key-type', 'long', '-e', '1'])).toMatchObject({
      stderr: expect.stringContaining('text, hex, utf16, int8'),
      status: 2,
    });
  });
});

test('query --which --key-type continues after filters without this type', async () => {
  const others = fixture('formats/dcso/a.bloom');
  const { stdout, stderr, status } = await within([
    'query',
    '--which',
    others,
    LONGS,
    '--key-type',
    'int64',
    '-e',
    '-1',
  ]);
  expect(stdout).toBe(`${LONGS}\n`);
  expect(stderr).toContain('is a filter of DCSO bloom, and --key-type int64 does not exist there');
  expect(status).toBe(2);
});

describe('build and add --key-type', () => {
  test('make filters of typed keys, and count invalid values', async () => {
    const lines = records('1', '-1', 'one');
    const made = path('made.guava');
    const built = await within([
      'build',
      '--format',
      'guava',
      '--key-type',
      'int64',
      '-n',
      '100',
      '-o',
      made,
      lines,
      '--json',
    ]);
    expect(JSON.parse(built.stdout)).toMatchObject({ keyType: 'int64', skipped: 1, estimatedItems: 2 });
    expect(built.stderr).toContain('; 1 record is no int64; ');
    const added = await within(['add', made, '--key-type', 'int64', records('07', 'x'), '--json']);
    expect(JSON.parse(added.stdout)).toMatchObject({ keyType: 'int64', added: 1, skipped: 1 });
    expect(added.stderr).toContain('; 1 record is no int64; ');
    expect((await within(['query', made, '--key-type', 'int64', records('1', '7', '-1', '70')])).stdout).toBe(
      '1\n7\n-1\n',
    );
  });

  test('use the key type of a Java-serialized filter', async () => {
    const made = await within([
      'build',
      '--like',
      fixture('typed/guava/int64.ser'),
      '-o',
      path('like.guava'),
      records('5'),
      '--json',
    ]);
    expect(JSON.parse(made.stdout)).toMatchObject({ keyType: 'int64', bits: 1920, hashes: 7 });
    expect((await within(['query', path('like.guava'), '--key-type', 'int64', '-e', '5'])).status).toBe(0);
    const changed = await within(['add', fixture('typed/guava/int64.ser'), records('5')]);
    expect(changed).toMatchObject({
      stderr: expect.stringContaining('is a filter of Guava that cannot be changed in place'),
      status: 2,
    });
  });
});

describe('stats --key-type', () => {
  test('looks up records of the type, and random bytes', async () => {
    const lines = records('1', '-1', 'one');
    const { stdout, status } = await within(['stats', LONGS, '--key-type', 'int64', '--present', lines, '--json']);
    const report = JSON.parse(stdout);
    expect(status).toBe(0);
    expect(report).toMatchObject({ keyType: 'int64', present: { records: 2, missing: 0, skipped: 1 } });
    expect(report.measuredFpr.probes).toBe(1_000_000);
    expect(report.measuredFpr.rate).toBeGreaterThan(0.5 * report.predictedFpr);
    expect(
      (await within(['stats', LONGS, '--key-type', 'int64', '--probes', '0', '--present', lines])).stdout,
    ).toContain('0 missing of 2 keys; 1 record is no int64\n');
  });

  test('has no effect without records', async () => {
    expect(await within(['stats', LONGS, '--key-type', 'int64'])).toMatchObject({
      stderr: expect.stringContaining('--key-type has no effect'),
      status: 2,
    });
  });
});
