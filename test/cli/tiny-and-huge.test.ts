// The numbers in the output of each command, for inputs of no key or one key, and for sizes that nobody has.

import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { inLongRuns } from '../long.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();

/** A plural after a one, a zero with decimals, decimals of a large number, and a value that is not a number. */
const BADLY_WRITTEN = [
  /(?<![\d.,])1 (?:distinct |more )?(?:bits|bytes|digests|filters|keys|records|segments)\b/,
  /(?<![\d.,])1 are\b/,
  /(?<![\d.])0\.0+(?!\d)/,
  /\d{4,}\.\d/,
  /about 0 more/,
  /NaN|Infinity|undefined|null/,
];

async function lines(...args: readonly string[]): Promise<string[]> {
  const { stdout, stderr } = await within(args);
  return `${stdout}${stderr}`.split('\n');
}

async function expectWell(...args: readonly string[]): Promise<void> {
  const written = await lines(...args);
  expect(written.length).toBeGreaterThan(1);
  expect(written.filter((line) => BADLY_WRITTEN.some((bad) => bad.test(line)))).toEqual([]);
}

beforeAll(() => {
  writeFileSync(path('none'), '');
  writeFileSync(path('one'), 'a\n');
  writeFileSync(path('two'), 'a\nb\n');
  writeFileSync(path('thousand'), Array.from({ length: 1000 }, (_, i) => `${i}\n`).join(''));
});

test.each([
  ['-n', '1', '-p', '1e-15', '--overfill', '--plot'],
  ['-n', '1', '--overfill', '--plot'],
  ['-n', '2', '--kind', 'all', '--plot'],
  ['-n', '1', '-m', '8e12'],
  ['-n', '1e12', '-p', '0.9999999', '--overfill', '--plot'],
  ['-n', '9e15', '-p', '0.99999999', '--kind', 'all', '--plot'],
  ['-n', '1e12', '--kind', 'all', '--plot'],
])('size %s %s %s %s', (...args) => expectWell('size', ...args));

/** The default run has sizes that are quick to compute. */
const SIZES = inLongRuns(
  ['1', '2', '3', '10', '9e15'].flatMap((items) =>
    ['-p 0.999999', '-p 90%', '-p 50%', '-p 1e-15', '-m 1', '-m 64', '-m 1k', '-m 8e12'].map((other) => [items, other]),
  ),
  [
    ['1', '-m 1'],
    ['9e15', '-p 90%'],
    ['9e15', '-p 1e-15'],
  ],
);

test.each(SIZES)('size --format all -n %s %s', (items, other) =>
  expectWell('size', '--format', 'all', '--plot', '-n', items, ...other.split(' ')),
);

describe.each(KINDS.map(({ name }) => name))('a filter of kind %s', (kind) => {
  test.each(inLongRuns(['none', 'one', 'two'], ['none']))('of %s', async (input) => {
    const filter = path(`${kind}.${input}`);
    await expectWell('build', '--kind', kind, path(input), '-o', filter);
    await expectWell('stats', '--plot', '--probes', '1', '--present', path('one'), '--absent', path('none'), filter);
    for (const asked of ['none', 'one', 'two']) await expectWell('query', '-c', '--summary', filter, path(asked));
  });
});

test('a filter that is much too full', async () => {
  await expectWell('build', '-n', '1', '-p', '1e-15', path('thousand'), '-o', path('full'));
  await expectWell('stats', '--plot', '--probes', '1', path('full'));
  await expectWell('query', '-c', '--summary', path('full'), path('thousand'));
});

test('a filter of another system whose file does not say how many keys were added', () =>
  expectWell('build', '--format', 'hadoop', '-n', '1', path('one'), '-o', path('hadoop')));

test.each(['none', 'one', 'thousand'])('counts and duplicates of %s', async (input) => {
  await expectWell('count', path(input));
  await expectWell('digest', path(input), '-o', path(`${input}.digests`));
  await expectWell('dedup', '--summary', path(input));
  await expectWell('dedup', '--summary', '--count', '-n', '1', path(input));
  await expectWell('dedup', '--summary', '--min-count', '2', '-n', '1', path(input));
});

test('windows of a state that has others', async () => {
  await within(['dedup', '--window', '1', '--keep', '1', '--state', path('state'), path('one')]);
  await expectWell('dedup', '--window', '2', '--keep', '1', '--state', path('state'), path('one'));
});
