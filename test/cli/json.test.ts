// JSON output has exactly the names that src/commands/JSON.md documents.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell, within } = scratch();
const WORDS = fixture('words.txt');
const TABLES = readFileSync(new URL('../../src/commands/JSON.md', import.meta.url), 'utf8');

type Json = Record<string, unknown>;

/** The names in the tables whose headings name a command. */
function documented(command: string): string[] {
  const sections = TABLES.split(/^## /m).filter((section) => section.split('\n')[0]?.includes(`\`${command}\``));
  return sections
    .flatMap((section) => [...section.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name = '']) => name))
    .sort();
}

/** The names in an object, and in the objects within it. */
function namesIn(value: unknown, before = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => namesIn(one, before));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [before + name, ...namesIn(inner, `${before}${name}.`)]);
}

const parsed = (text: string): Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line): Json => JSON.parse(line));
const namesOf = (texts: readonly string[]) =>
  [...new Set(texts.flatMap(parsed).flatMap((object) => namesIn(object)))].sort();

beforeAll(async () => {
  await within(['build', WORDS, '-o', 'words.bloom']);
  shell("printf 'a\\n\\377\\n' > bytes; seq 100 > protected");
});

describe('every printed name is in the table, and every name of the table is printed', () => {
  const built: string[] = [];
  let reported: string[] = [];
  beforeAll(async () => {
    const files = KINDS.map(({ name }) => `${name}.bloom`);
    for (const { name } of KINDS)
      built.push((await within(['build', '--json', '--kind', name, WORDS, '-o', `${name}.bloom`])).stdout);
    for (const list of ['never', 'universe']) {
      const args = ['--kind', 'ribbon', WORDS, `--${list}`, path('protected'), '-o', `${list}.bloom`];
      built.push((await within(['build', '--json', ...args])).stdout);
      files.push(`${list}.bloom`);
    }
    const args = ['--prefixes', '-e', '10.0.0.0/8', '-o', 'nets.bloom'];
    built.push((await within(['build', '--json', ...args])).stdout);
    files.push('nets.bloom');
    reported = (await within(['stats', '--json', '--probes', '0', ...files])).stdout.trimEnd().split('\n');
  });

  const outputs: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    build: async () => built,
    stats: async () => [
      ...reported,
      (await within(['stats', '--json', '--probes', '1000', '--absent', WORDS, '--present', WORDS, 'words.bloom']))
        .stdout,
      (await within(['stats', '--json', '--probes', '0', fixture('formats/parquet/pyarrow.parquet')])).stdout,
      (await within(['stats', '--probes', '1k', '--json', 'nowhere'])).stdout,
    ],
    query: async () => [
      (await within(['query', '--json', 'words.bloom', '-F', 'bloom.bloom', '--which', 'bytes'])).stdout,
    ],
    'query --which': async () => {
      await within(['build', 'bytes', '-o', 'bytes.bloom']);
      return [bloom(['query', '--which', '--json', 'bytes.bloom'], { stdin: readFileSync(path('bytes')) }).stdout];
    },
    index: async () => [
      (await within(['index', '--json', '--update', WORDS, '-o', 'words.index'])).stdout,
      (await within(['index', '--json', '--update', WORDS, '-o', 'words.index'])).stdout,
    ],
    'stats INDEX': async () => [(await within(['stats', '--probes', '1k', '--json', 'words.index'])).stdout],
    'query INDEX': async () => [
      (await within(['query', '--json', 'words.index', '-e', 'walk'])).stdout,
      bloom(['query', '--json', 'words.index'], { stdin: readFileSync(path('bytes')) }).stdout,
    ],
    'query -c': async () => [
      (await within(['query', '--json', '-c', 'words.bloom', '-F', 'bloom.bloom', '--which', 'bytes'])).stdout,
    ],
    'query --summary': async () => [
      (
        await within([
          'query',
          '--json',
          '-q',
          '--summary',
          'words.bloom',
          '-F',
          'bloom.bloom',
          '--first-only',
          'bytes',
        ])
      ).stderr,
    ],
    'dedup -c': async () => [(await within(['dedup', '--json', '-c', 'bytes'])).stdout],
    compare: async () => [(await within(['compare', '--json', 'bloom.bloom', 'bloom.bloom'])).stdout],
    formats: async () => [(await within(['formats', '--json'])).stdout],
    size: async () => [(await within(['size', '--json', '-n', '1k', '-p', '1%', '--overfill'])).stdout],
  };

  test.each(Object.entries(outputs))('%s', async (command, run) => {
    const names = documented(command);
    expect(names.length).toBeGreaterThan(3);
    expect(namesOf(await run())).toEqual(names);
  });

  test('seconds are in whole microseconds', () => {
    const seconds = [...built, ...reported].flatMap(parsed).map((object) => object.seconds);
    expect(seconds.filter((value) => !/^\d+(\.\d{1,6})?$/.test(String(value)))).toEqual([]);
  });

  // JSON.md documents the names that only some kinds have once for all commands.
  const details = () => namesOf(reported).filter((name) => !namesOf(reported.slice(0, 1)).includes(name));

  test.each([
    ['add', 'bloom'],
    ['remove', 'counting'],
    ['merge', 'blocked'],
  ])('%s', async (command, kind) => {
    const file = `${kind}.bloom`;
    const args = command === 'merge' ? [file, file, '-o', 'union.bloom'] : [file, WORDS];
    const own = details();
    const found = namesOf([(await within([command, '--json', ...args])).stdout]).filter((name) => !own.includes(name));
    expect(found).toEqual(documented(command).filter((name) => !own.includes(name)));
  });
});

describe('the same thing has the same name', () => {
  test('the same thing has the same value in every command', async () => {
    const [report = {}] = parsed((await within(['stats', '--json', '--probes', '0', 'words.bloom'])).stdout);
    const [merged = {}] = parsed((await within(['merge', '--json', '--dry-run', 'words.bloom'])).stdout);
    const { file, filters, seconds, ...shared } = merged;
    expect({ file, filters }).toEqual({ file: null, filters: 1 });
    expect(report).toMatchObject(shared);
    expect(report).toMatchObject({
      file: 'words.bloom',
      format: 'bloomery',
      kind: 'bloom',
      bits: 49_664,
      capacity: 5130,
    });
    expect(report.bitsPerKey).toBe(49_664 / 5130);
    expect(report.bytes).toBe(Number(shell('stat -c %s words.bloom').stdout));
  });

  test('a changed file has the name that the user stated', async () => {
    shell('echo new > new; printf "a b\\nc\\n" > fields');
    await within(['build', '--kind', 'counting', '-n', '10', 'new', '-o', 'counting-few.bloom']);
    const [added] = parsed((await within(['add', '--json', '-f', '2', './counting-few.bloom', 'fields'])).stdout);
    expect(added).toMatchObject({ file: './counting-few.bloom', added: 1, skipped: 1, inserted: 2, estimatedItems: 2 });
    const [removed] = parsed((await within(['remove', '--json', 'counting-few.bloom', 'new'])).stdout);
    expect(removed).toMatchObject({
      file: 'counting-few.bloom',
      removed: 1,
      skipped: 0,
      inserted: 1,
      estimatedItems: 1,
    });
  });

  test.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', '9007199254740992'],
    ['18446744073709551615', '18446744073709551615'],
  ])('the seed %s loses no digit', async (seed, value) => {
    const { stdout } = await within(['build', '--json', '--force', '--seed', seed, WORDS, '-o', 'seeded.bloom']);
    expect(parsed(stdout)[0]).toMatchObject({ seed: value });
  });

  test('an exact count is distinguished from an estimate', async () => {
    const exactness = (text: string) => parsed(text).map(({ estimateIsExact }) => estimateIsExact);
    expect(exactness((await within(['build', '--json', WORDS, '-o', 'exact.bloom'])).stdout)).toEqual([true]);
    expect(exactness((await within(['stats', '--json', '--probes', '0', 'exact.bloom'])).stdout)).toEqual([false]);
  });
});

describe('counts of a query', () => {
  const asked = ['query', '--json', 'words.bloom', '-e', 'walk', 'bytes', WORDS];
  test('of all files, and per file', async () => {
    expect(parsed((await within([...asked, '-c'])).stdout)).toEqual([
      { file: null, records: 5133, keys: 5133, positives: 5131, elsewhere: 0 },
    ]);
    expect(parsed((await within([...asked, '-c', '-H', '-v'])).stdout)).toEqual([
      { file: null, records: 1, keys: 1, positives: 1, elsewhere: 0 },
      { file: 'bytes', records: 2, keys: 2, positives: 0, elsewhere: 0 },
      { file: WORDS, records: 5130, keys: 5130, positives: 5130, elsewhere: 0 },
    ]);
  });

  test('of a summary, apart from the records', async () => {
    const { stdout, stderr } = await within([...asked, '--summary']);
    expect(parsed(stdout)).toHaveLength(5133);
    const [summary = {}] = parsed(stderr);
    expect(summary).toMatchObject({ file: null, records: 5133, keys: 5133, positives: 5131 });
    // Two non-members at the false-positive rate of the filter.
    expect(Math.abs(Number(summary.expectedFalsePositives) - 2 * Number(summary.predictedFpr))).toBeLessThan(0.001);
  });
});
