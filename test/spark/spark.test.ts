// bloom_spark.py with Spark itself: what it makes is what one machine makes, and no row is lost, doubled or moved.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, pageScratch } from '../cli/engines/page.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { SPARK_PYTHON } from '../systems/engines.ts';

const { path, bloom, shell, programs } = pageScratch();

const HAS_PACKAGES =
  'import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, ("pyspark", "pyarrow", "pandas"))))';

/** A Python that has Spark, if there is Java to run it. */
const PYTHON = [SPARK_PYTHON, 'python3'].find(
  (python) => spawnSync('sh', ['-c', `java -version && '${python}' -c '${HAS_PACKAGES}'`]).status === 0,
);
if (PYTHON === undefined) console.warn('skipped: there is no Spark, which npm run systems installs');

const MASTER = inLongRuns('local-cluster[2,1,512]', 'local[2]');

/** Lines of files, with keys that are there twice, and an empty one. */
const LINES = ['', ...Array.from({ length: 20_000 }, (_, i) => `https://example.org/${i % 19_000}/é`)];

const DISTINCT = new Set(LINES).size;

const FILES = ['some.txt', 'more.txt'];

/** Keys of rows: those of lines, strangers, some of them no lines, and none. */
const ROWS: readonly (string | null)[] = [
  ...LINES.slice(0, 9000),
  ...Array.from({ length: 9000 }, (_, i) => (i % 7 === 0 ? null : `stranger\n${i}`)),
];

type Answers = readonly (readonly [number: number, ofText: boolean | null, ofBytes: boolean | null])[];

/** What the job prints; the rest in long runs. */
interface Told {
  readonly numbers: readonly number[];
  readonly answers: Answers;
  readonly new: readonly number[];
  readonly counts: readonly number[];
  readonly replaced: readonly [Answers, Answers];
  readonly failures: Readonly<Record<string, string | null>>;
}

/** Writes all items of a list, some into one file and more into another. */
function place(ending: string, items: readonly string[]): void {
  const middle = Math.floor(items.length / 3);
  writeFileSync(path(`some.${ending}`), items.slice(0, middle).join(''));
  writeFileSync(path(`more.${ending}`), items.slice(middle).join(''));
}

describe.skipIf(PYTHON === undefined)(`Spark, ${MASTER}`, () => {
  let told: Told;
  beforeAll(() => {
    place(
      'txt',
      LINES.map((line) => `${line}\n`),
    );
    place(
      'json',
      ROWS.map((key, number) => `${JSON.stringify({ number, key })}\n`),
    );
    writeFileSync(path('keys'), ROWS.flatMap((key) => (key === null ? [] : [`${key}\0`])).join(''));
    writeFileSync(path('nothing'), '');
    writeFileSync(path('page.py'), blocksOf('Spark', 'python').join(''));
    const variables = `PATH='${programs()}':"$PATH" PYSPARK_PYTHON='${PYTHON}' PYTHONPATH='${resolve('src', 'spark')}' PYTHONDONTWRITEBYTECODE=1`;
    const job = `'${resolve('test', 'spark', 'job.py')}' '${MASTER}' ${inLongRuns('page.py', '')}`;
    const { stdout, stderr, status } = shell(`${variables} '${PYTHON}' ${job}`);
    if (status !== 0) throw new Error(stderr);
    told = JSON.parse(stdout);
  });

  /** The filter of a single build of the same keys. */
  function built(args: readonly string[], items = 3_000_000): Buffer {
    rmSync(path('whole.bloom'), { force: true });
    expect(bloom(['build', '-n', String(items), '-o', 'whole.bloom', ...args]).status).toBe(0);
    return readFileSync(path('whole.bloom'));
  }

  /** What such a filter says of each row; null where there is no key. */
  function answersOf(args: readonly string[], items?: number): (boolean | null | undefined)[] {
    built(args, items);
    const said = bloom(['query', 'whole.bloom', '-0', '--tag', 'keys']).stdout.split('\0');
    return ROWS.map((key) => (key === null ? null : said.shift()?.startsWith('+')));
  }

  test('the filter of slices of files is that of a single build', () => {
    expect(readFileSync(path('slices.bloom')).equals(built(FILES))).toBe(true);
  });

  test.runIf(IS_LONG).each([
    ['visits', ['-0', 'keys', '-p', '0.1%']],
    ['fields', ['-f', '2', '-d', '/', '--kind', 'blocked', ...FILES]],
    ['digests', FILES],
    ['column', ['-0', 'keys']],
    ['column-digests', ['-0', 'keys']],
    ['empty', ['nothing']],
  ])('the filter %s is that of a single build', (name, args) => {
    expect(readFileSync(path(`${name}.bloom`)).equals(built(args))).toBe(true);
  });

  test('a column of answers stands beside the rows, in their order', () => {
    const answers = answersOf(FILES);
    expect(told.numbers.toSorted((a, b) => a - b)).toEqual(ROWS.map((_, i) => i));
    expect(told.answers).toEqual(told.numbers.map((number) => [number, answers[number], answers[number]]));
  });

  test.runIf(IS_LONG)('a filter is made for the keys that were counted, and its answers select rows', () => {
    const answers = answersOf(FILES, told.counts[0]);
    expect(readFileSync(path('seen.bloom')).equals(readFileSync(path('whole.bloom')))).toBe(true);
    expect(told.new).toEqual(told.numbers.filter((number) => answers[number] === false));
  });

  test.runIf(IS_LONG)('distinct keys are counted, within five standard errors', () => {
    const distinct = [DISTINCT, new Set(ROWS.filter((key) => key !== null)).size];
    const errors = told.counts.map((count, i) => Math.abs(count / (distinct[i] ?? 0) - 1));
    expect(errors.filter((error) => error > 5 * 0.0041)).toEqual([]);
    expect(errors.length).toBe(2);
  });

  test.runIf(IS_LONG)('a filter that was replaced is asked as it is now', () => {
    const [before, after] = told.replaced;
    expect(before.map(([, ...answers]) => answers)).toEqual(Array(3).fill([true, true]));
    expect(after.map(([, ...answers]) => answers)).toEqual(Array(3).fill([false, false]));
  });

  test.runIf(IS_LONG).each([
    ['existing', /slices\.bloom/],
    ['missing input', /cannot read .*nothing\.txt: no such file/],
    ['missing filter', /nothing\.bloom/],
    ['no filter', /is not a filter/],
    ['NUL', /a key has a NUL/],
  ])('the job fails and says why: %s', (failure, reason) => expect(told.failures[failure]).toMatch(reason));
});
