// Which sighting of its key a record is: the flags that say so. The engine's sightings.test.ts compares the output for any records.

import { copyFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { IS_LONG } from '../long.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();
const STDIN = 'a 1\nb 1\na 2\nnone\na 3\nb 2\nnone\nc 1\na 4\n';

const printed = async (...flags: string[]) =>
  (await within(['dedup', '-f', '1', '-d', ' ', ...flags], { stdin: STDIN })).stdout;

test.each([[[]], [['-n', '1000']]])('--min-count prints a key from its n-th sighting on, with %j', async (size) => {
  expect(await printed('--min-count', '2', ...size)).toBe('a 2\na 3\nb 2\nnone\na 4\n');
  expect(await printed('--min-count', '3', ...size)).toBe('a 3\na 4\n');
  expect(await printed('--min-count', '5', ...size)).toBe('');
});

test('a record without a key never counts as seen', async () => {
  const { stdout, stderr } = await within(['dedup', '-f', '2', '--min-count', '2'], {
    stdin: 'x 1\nnone\nnone\ny 1\n',
  });
  expect(stdout).toBe('y 1\n');
  expect(stderr).toContain('2 records have no field 2, and were not printed\n');
});

test('the summary says how many passed too early', async () => {
  const { stderr } = await within(['dedup', '--min-count', '3', '--summary'], { stdin: 'a\na\na\n' });
  expect(stderr).toEqual(
    expect.stringMatching(
      /^3 records: 1 printed, 2 dropped \(66\.7 %\); (0|less than 0\.001) records expected to be printed too early\n$/,
    ),
  );
});

test.each([
  [[], true],
  [['--window', '50k', '--keep', '0'], true],
  // dedup may have removed a sighting in an earlier window, so no record is certain to be early.
  [['--window', '50k', '--keep', '1'], false],
])('the summary says how many passed too early at least, with %j: %s', async (windows, isKnown) => {
  const keys = Array.from({ length: 10_000 }, (_, i) => `${i}\n`).join('');
  const flags = ['--min-count', '3', '-n', '10k', '-p', '10%', '--summary', '--json', ...windows];
  const { stderr } = await within(['dedup', ...flags], { stdin: keys + keys });
  const { printed, leastFalsePositives } = JSON.parse(stderr);
  // Each key comes twice, so every printed record was too early.
  expect(leastFalsePositives > 0).toBe(isKnown);
  expect(leastFalsePositives).toBeLessThanOrEqual(printed);
});

test.each([
  ['--kind scalable -n 1k'],
  ['--kind scalable -n 1k --window 4k --keep 0'],
  ['--kind scalable -n 1k --window 4k'],
  ['--kind scalable -n 1k --window 14k --keep 2'],
  ['-n 8k --window 4k --keep 0'],
  ['-n 8k --window 4k'],
  ['-n 8k --window 4k --keep 3'],
])('the summary states the new keys that were dropped: %s', async (flags) => {
  const distinct = 20_000;
  // Each key comes twice in a row, so that half of the dropped records are no errors.
  const stdin = Array.from({ length: distinct }, (_, i) => `${i}\n${i}\n`).join('');
  const { stdout, stderr } = await within(['dedup', '-p', '20%', ...flags.split(' '), '--summary', '--json'], {
    stdin,
  });
  const lost = distinct - new Set(stdout.trimEnd().split('\n')).size;
  const summary = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
  const { leastFalsePositives: least, expectedFalsePositives: expected, mostFalsePositives: most } = summary;
  expect(lost).toBeGreaterThan(15);
  expect(lost).toBeGreaterThanOrEqual(least);
  expect(lost).toBeLessThanOrEqual(most);
  // Five standard deviations of the number of errors.
  expect(Math.abs(lost - expected)).toBeLessThan(5 * Math.sqrt(expected));
  expect(least).toBeGreaterThan(expected - 10 * Math.sqrt(expected));
});

test('errors of an earlier run, whose state is continued, may pass now: they are within the most that the summary states', async () => {
  const stdin = Array.from({ length: 10_000 }, (_, i) => `${i}\n`).join('');
  const dedup = (state: string, input: string) =>
    within(['dedup', '--min-count', '3', '-n', '10k', '-p', '10%', '--state', state, '--summary', '--json'], {
      stdin: input,
    });
  await dedup('seen', stdin);
  copyFileSync(path('seen'), path('copy'));
  // Each key has come twice now, so every printed record is too early.
  const early = (await dedup('copy', stdin)).stdout;
  const { stderr } = await dedup('seen', early);
  const { printed, mostFalsePositives } = JSON.parse(stderr);
  expect(printed).toBeGreaterThan(50);
  expect(mostFalsePositives).toBeGreaterThanOrEqual(printed);
});

test('windows of records: sightings are removed after the kept windows', async () => {
  const stdin = 'a\nb\na\nb\nc\na\nb\nc\na\n';
  const printed = async (...flags: string[]) =>
    (await within(['dedup', '--window', '2', ...flags], { stdin })).stdout.replaceAll('\n', '');
  expect(await printed('--keep', '0')).toBe('ababcabca');
  expect(await printed()).toBe('abcaba');
  expect(await printed('--keep', '4')).toBe('abc');
  expect(await printed('--keep', '250')).toBe('abc');
  expect(await printed('--keep', '127', '--min-count', '3')).toBe('aba');
  if (IS_LONG) expect(await printed('--keep', '3', '--min-count', '3', '--kind', 'counting')).toBe('ab');
  expect(await printed('--keep', '3', '--min-count', '3', '--kind', 'scalable')).toBe('ab');
});

test.each([[[]], [['-n', '10']]])('a window of time lasts for its time, with %j', async (size) => {
  const { stdout, stderr, status } = await within(['dedup', '--window', '7d', ...size, '--summary'], {
    stdin: 'a\nb\na\n',
  });
  expect({ stdout, status }).toEqual({ stdout: 'a\nb\n', status: 0 });
  expect(stderr).toBe(
    '3 records: 2 printed, 1 dropped (33.3 %); 0 new keys expected to be mistaken for repeated ones\n',
  );
});

test.each([
  [['--min-count', '1'], 'expected a whole number from 2 to 100'],
  [['--min-count', '2', '--repeated'], '--min-count 2 already selects which records are printed'],
  [['--min-count', '2', '--all-repeated'], '--min-count 2 already selects which records are printed'],
  [['--keep', '3'], '--keep needs windows, and there are none'],
  [['--window', '1w', '-n', '10'], 'expected a number of records, such as 1M, or a time, such as 30s, 10m, 1h or 7d'],
  [['--window', '10', '--keep', '251'], 'expected a whole number from 0 to 250'],
  [
    ['--window', '10', '--keep', '128', '--min-count', '3'],
    '2 sightings in each of 129 windows need 258 filters, and the limit is 256',
  ],
])('%j is refused', async (flags, message) => {
  const { stderr, status, stdout } = await within(['dedup', ...flags]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
});
