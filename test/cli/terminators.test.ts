// The end of a printed record: NUL under -0, as in the input, otherwise LF. Names, counts and JSON end with LF, names under -Z with
// NUL.

import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { scratch } from './run.ts';

const { path, within } = scratch();

/** The members are red, blue and green. The last record has no terminator. */
const RECORDS = ['red\n1', 'red', 'blue sky', '', 'green', 'red'];

beforeAll(async () => {
  writeFileSync(path('colours'), 'red\nblue\ngreen\n');
  writeFileSync(path('rgb'), 'red\ngreen\nblue\n');
  writeFileSync(path('nul'), RECORDS.join('\0'));
  await within(['build', '-p', '1e-9', 'colours', '-o', 'c.bloom']);
  await within(['build', '-p', '1e-9', 'rgb', '-o', 'd.bloom']);
});

/** Flags, and the output for the records above. */
const QUERIES: readonly (readonly [flags: string, stdout: string])[] = [
  ['', 'red\0green\0red\0'],
  ['-v', 'red\n1\0blue sky\0\0'],
  ['--tag', '-red\n1\0+red\0-blue sky\0-\0+green\0+red\0'],
  ['-n', '2:red\x005:green\x006:red\0'],
  ['-n -H', 'nul:2:red\0nul:5:green\0nul:6:red\0'],
  ['-H -Z', 'nul\0red\0nul\0green\0nul\0red\0'],
  ['-m 1', 'red\0'],
  ['-o', 'red\0green\0red\0'],
  ['-o -v', 'red\n1\0blue sky\0\0'],
  ['--tokens words -o', 'red\0red\0blue\0green\0red\0'],
  ['--tokens words -o -v', ''],
  ['-f 1- -n', '2:red\x003:blue sky\x005:green\x006:red\0'],
  ['--color always -o -n', '\x1b[32m\x1b[K2\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K\x1b[01;31m\x1b[Kred\x1b[m\x1b[K\0'],
  ['--color always', '\x1b[01;31m\x1b[Kred\x1b[m\x1b[K\0'],
  ['-F d.bloom --which', 'c.bloom,d.bloom\tred\0c.bloom,d.bloom\tgreen\0c.bloom,d.bloom\tred\0'],
  ['-F d.bloom --first-only -o', 'c.bloom\tred\0c.bloom\tgreen\0c.bloom\tred\0'],
  ['-c', '3\n'],
  ['-c -H -Z', 'nul\x003\n'],
  ['-l', 'nul\n'],
  ['-l -Z', 'nul\0'],
  ['-L', ''],
];

test.each(QUERIES)('query -0 %s', async (flags, expected) => {
  const { stdout, stderr } = await within(['query', 'c.bloom', 'nul', '-0', ...flags.split(' ').filter(Boolean)]);
  expect(stderr).toBe('');
  // In colour the test compares the first record only.
  expect(flags.includes('--color') ? stdout.slice(0, expected.length) : stdout).toBe(expected);
});

test.each([
  ['-e red', 'c.bloom\0d.bloom\0'],
  ['-e red -e x -e green', 'c.bloom\tred\0c.bloom\tgreen\0d.bloom\tred\0d.bloom\tgreen\0'],
  ['--first-only -e red -e green', 'c.bloom\tred\0c.bloom\tgreen\0'],
])('query --which -0 %s', async (flags, expected) => {
  const { stdout } = await within(['query', '--which', 'c.bloom', 'd.bloom', '-0', ...flags.split(' ')]);
  expect(stdout).toBe(expected);
});

test('lines of JSON end with LF', async () => {
  const { stdout } = await within(['query', 'c.bloom', 'nul', '-0', '--json', '-o']);
  expect(stdout.split('\n').map((line) => (line === '' ? '' : JSON.parse(line).record))).toEqual([
    ...['red', 'green', 'red', ''],
  ]);
});

test.each([
  ['', 'red\n1\0red\0blue sky\0\0green\0'],
  ['--repeated', 'red\0'],
  ['--count', '5\n'],
])('dedup -0 %s', async (flags, expected) => {
  const { stdout } = await within(['dedup', 'nul', '-0', ...flags.split(' ').filter(Boolean)]);
  expect(stdout).toBe(expected);
});
