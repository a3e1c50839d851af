// Sketches that the library of Apache DataSketches reads, and sketches that it made.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect } from 'vitest';
import { scratch } from '../cli/run.ts';
import { sampled } from '../long.ts';
import { answersOf } from './asking.ts';
import { isBuilt } from './drivers.ts';
import { testedBy } from './notice.ts';

const { path, bloom } = scratch();

const KEYS = [0, 7, 8, 300, 20_000, 150_000];

/** A sketch of the library: the type of its registers, the logarithm of their number, its keys, and whether it stores all positions. */
const CASES = ['HLL_4', 'HLL_6', 'HLL_8'].flatMap((type) =>
  [4, 7, 8, 12, 16, 21].flatMap((log) =>
    KEYS.flatMap((keys) =>
      [0, 1].map((rate) => ({ sort: `${type}:${log}`, log, keys, rate, file: `${type}-${log}-${keys}-${rate}` })),
    ),
  ),
);
const SAMPLE = sampled(CASES);

/** Consecutive keys: `count` of them, from number `first` on. */
const keysOf = (count: number, first = 0) => Array.from({ length: count }, (_, i) => `key ${first + i}`);
const estimates = async (...files: string[]) =>
  (
    await answersOf(
      'sketches',
      files.map((file) => ['estimate', '', path(file)]),
    )
  ).map(Number);

beforeAll(async () => {
  if (!isBuilt('sketches')) return;
  for (const count of KEYS) {
    writeFileSync(path(`keys-${count}`), keysOf(count).join('\0') + (count > 0 ? '\0' : ''));
    writeFileSync(path(`lines-${count}`), keysOf(count).join('\n'));
  }
  const requests = SAMPLE.map(({ sort, keys, rate, file }) => [
    'make',
    sort,
    path(file),
    'text',
    path(`keys-${keys}`),
    `${keys}`,
    `${rate}`,
  ]);
  await answersOf('sketches', requests);
}, 120_000);

const test = testedBy('sketches');

describe('the library and the command know the same keys', () => {
  test('in what the command has counted', async () => {
    for (const count of KEYS) bloom(['count', `lines-${count}`, '-o', `ours-${count}`]);
    const theirs = (count: number) => path(`theirs-${count}`);
    await answersOf('sketches', [
      ...KEYS.map((count) => ['make', 'HLL_8:16', theirs(count), 'text', path(`keys-${count}`), `${count}`, '0']),
      ...KEYS.map((count) => ['merge', 'HLL_8:16', path(`union-${count}`), theirs(count), path(`ours-${count}`)]),
    ]);
    const unions = await estimates(...KEYS.map((count) => `union-${count}`));
    expect(await estimates(...KEYS.map((count) => `ours-${count}`))).toEqual(unions);
    for (const count of KEYS.filter((keys) => keys > 6144))
      expect(readFileSync(path(`ours-${count}`)).equals(readFileSync(path(`union-${count}`)))).toBe(true);
  });

  test('in sketches of every type', async () => {
    for (const { file } of SAMPLE)
      expect(bloom(['count', file, '-o', `${file}.ours`]), file).toMatchObject({ status: 0 });
    // A union with bloom's sketch loses its order, as bloom's sketch has none.
    const union = ({ log, file }: (typeof SAMPLE)[number]) =>
      ['merge', `HLL_8:${log}`, path(`${file}.union`), path(file), path(`${file}.ours`)] as const;
    await answersOf('sketches', SAMPLE.map(union));
    const unions = await estimates(...SAMPLE.map(({ file }) => `${file}.union`));
    expect(await estimates(...SAMPLE.map(({ file }) => `${file}.ours`))).toEqual(unions);
  });
});
