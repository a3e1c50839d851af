// Counts of distinct keys, and the sketches that bloom keeps of them.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { sketchBytes } from '../../src/sketches/file.ts';
import { IS_LONG } from '../long.ts';
import { couponOf, numberOf } from '../reference/coupons.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');

/** Runs `count`, expects no message, and returns the printed number. */
const counted = async (...args: string[]) => {
  const { stdout, stderr, status } = await within(['count', ...args]);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return Number(stdout);
};
const json = async (...args: string[]) => JSON.parse((await within(['count', '--json', ...args])).stdout);
const refused = async (...args: string[]) => {
  const { stdout, stderr, status } = await within(args);
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return stderr;
};

/** Bytes that a thread reads at once. */
const CHUNK = 10_000;

beforeAll(() => {
  shell('seq 100000 > few; seq 50001 200000 > more');
});

describe('the number of few keys is exact', () => {
  test('of files, lists, fields and normalised keys', async () => {
    expect(await counted(WORDS)).toBe(5130);
    expect(await counted(WORDS, WORDS, 'few')).toBe(5130 + 100_000);
    expect((await counted('few', '--slice', '1/2')) + (await counted('few', '--slice', '2/2'))).toBe(100_000);
    writeFileSync(path('keys'), 'x A\nx b\ny a \n\nz B');
    expect(await counted('keys')).toBe(5);
    expect(await within(['count', '-f', '1', 'keys'])).toEqual({
      stdout: '3\n',
      stderr: '1 record has no field 1\n',
      status: 0,
    });
    writeFileSync(path('keys-0'), 'x A\nx b\ny a \n\nz B\0');
    expect(await counted('-i', '-f', '2', '-d', ' ', '--trim', '-0', 'keys-0')).toBe(1);
    expect((await within(['count', '-i', '-f', '2', 'keys'])).stdout).toBe('2\n');
    expect((await within(['count'], { stdin: '' })).stdout).toBe('0\n');
    expect((await within(['count'], { stdin: '\n\n' })).stdout).toBe('1\n');
  });

  test('up to 131,072', async () => {
    expect(await within(['count'], { stdin: lines(131_072) })).toMatchObject({ stdout: '131072\n', stderr: '' });
    const { stderr, stdout } = await within(['count'], { stdin: lines(131_073) });
    expect(Math.abs(Number(stdout) / 131_073 - 1)).toBeLessThan(4 * 0.0041);
    expect(stderr).toMatch(/estimated, with a standard error of 0\.40\d %/);
  });

  const lines = (count: number) => Array.from({ length: count }, (_, i) => `${i}\n`).join('');

  test('in JSON', async () => {
    expect(await json(WORDS, WORDS)).toEqual({
      file: null,
      records: 10_260,
      keys: 10_260,
      skipped: 0,
      estimatedItems: 5130,
      estimateIsExact: true,
      standardError: 0,
      low: 5130,
      high: 5130,
      seconds: expect.any(Number),
    });
    const { estimatedItems, standardError, low, high, estimateIsExact } = await json('more');
    expect(estimateIsExact).toBe(false);
    expect(standardError / estimatedItems).toBeCloseTo(1.04 / 256, 5);
    expect((high - low) / standardError).toBeCloseTo(2 * 1.96, 2);
  });
});

describe('sketches', () => {
  beforeAll(async () => {
    expect(await counted('few', '-o', 'few.hll')).toBe(100_000);
    await within(['count', 'more', '-o', 'more.hll']);
    await within(['count', 'few', 'more', '-o', 'both.hll']);
  });

  const same = (a: string, b: string) => readFileSync(path(a)).equals(readFileSync(path(b)));

  test('have one size for any number of keys, and are equal for equal keys', () => {
    for (const name of ['few.hll', 'more.hll', 'both.hll']) expect(readFileSync(path(name))).toHaveLength(40 + 2 ** 16);
    shell('sort -r few | $BLOOM count -o - > sorted.hll 2> said');
    expect(same('sorted.hll', 'few.hll')).toBe(true);
    expect(readFileSync(path('said'), 'utf8')).toBe('100,000 distinct keys\n');
  });

  test('make the sketch of their union, with and without records', async () => {
    for (const inputs of [
      ['more.hll', 'few.hll', 'both.hll'],
      ['few.hll', 'more.hll'],
      ['more', 'few.hll'],
      ['few', 'few', 'more.hll'],
    ]) {
      const { stdout } = await within(['count', ...inputs, '-o', 'union.hll', '--force']);
      expect(same('union.hll', 'both.hll')).toBe(true);
      expect(Math.abs(Number(stdout) / 200_000 - 1)).toBeLessThan(4 * 0.0041);
    }
    expect(await json('few.hll')).toMatchObject({ records: 0, keys: 0, estimateIsExact: false });
  });

  test('are as precise as the given ones, with and without records', async () => {
    // The first sketch has one key and 2^18 registers; the sketch of the library has 2^8 registers.
    const coupons = Uint32Array.of(numberOf(couponOf(Buffer.from('a key'))));
    writeFileSync(path('fine.hll'), sketchBytes({ logRegisters: 18, coupons }));
    const coarse = fixture('sketches/registers-4.hll');
    for (const [inputs, log] of [
      [['fine.hll', 'few'], 18],
      [['fine.hll'], 18],
      [['fine.hll', 'few.hll'], 16],
      [['few.hll', coarse, 'more'], 8],
    ] as const) {
      await within(['count', ...inputs, '-o', 'precise.hll', '--force']);
      expect(readFileSync(path('precise.hll'))[3]).toBe(log);
    }
    expect(await json('fine.hll', WORDS)).toMatchObject({ estimatedItems: 5131, estimateIsExact: false });
  });

  test('size filters for slightly more keys than they estimate', async () => {
    const sized = async (...args: string[]) => JSON.parse((await within(args)).stdout);
    const { estimatedItems, standardError } = await json('few.hll');
    const most = (await sized('size', '-n', '@few.hll', '-p', '1%', '--json')).capacity;
    expect(Math.abs(most - (estimatedItems + 3 * standardError))).toBeLessThan(2);
    expect((await sized('build', '--json', '-n', '@few.hll', 'few', '-o', 'few.bloom')).capacity).toBe(most);
    expect((await within(['digest', '--parts', '1', '-n', '@few.hll', 'few', '-o', 'few-%d'])).status).toBe(0);
    const rows = (await within(['size', '-n', '@few.hll', '-n', '7', '-p', '1%', '--json'])).stdout
      .trimEnd()
      .split('\n');
    expect(rows.map((row) => JSON.parse(row).capacity)).toEqual([most, 7]);
  });

  test.runIf(IS_LONG)('are equal for any number of threads', async () => {
    // More keys than are counted exactly.
    shell('seq 150000 > many; head -n 145000 many > one; tail -n 135000 many > two');
    await within(['count', '--threads', '1', 'many', '-o', 'alone.hll']);
    const stdin = Buffer.concat([readFileSync(path('two')), readFileSync(path('one'))]);
    for (const threads of ['2', '3', '8']) {
      const count = ['count', '--threads', threads, '-o', 'threads.hll', '--force'];
      await within([...count, 'one', 'two'], { chunk: CHUNK });
      expect(same('threads.hll', 'alone.hll')).toBe(true);
      await within(count, { stdin, isPiped: true, chunk: CHUNK });
      expect(same('threads.hll', 'alone.hll')).toBe(true);
    }
    // Few keys in many records: bloom merges the tables of the threads.
    shell('seq 500 > once; for i in $(seq 90); do cat once; done > repeated');
    for (const threads of ['1', '2', '3', '8'])
      expect((await within(['count', '--threads', threads, 'repeated'], { chunk: CHUNK })).stdout).toBe('500\n');
  });

  test('are written only if an input could be read', async () => {
    const run = (...inputs: string[]) => within(['count', ...inputs, '-o', 'read.hll', '--force']);
    expect((await run('nowhere', 'more')).status).toBe(2);
    expect(same('read.hll', 'more.hll')).toBe(true);
    rmSync(path('read.hll'));
    expect((await run('nowhere')).status).toBe(2);
    expect(existsSync(path('read.hll'))).toBe(false);
  });

  test('are refused if they are damaged, or given as records', async () => {
    shell('head -c 1000 few.hll > cut.hll');
    expect(await refused('count', 'cut.hll', 'few')).toContain('cut.hll is damaged: its registers need 65536 bytes');
    expect(await refused('size', '-n', '@few')).toContain('few is not a HyperLogLog sketch');
    expect(await refused('build', '-n', '@-', '-o', 'x')).toContain('expected the name of a file after @');
    expect(await refused('build', 'few.hll', '-o', 'x.bloom')).toContain(
      'few.hll is a sketch of distinct keys, but a text file of records is expected here',
    );
    expect(shell('$BLOOM count < few.hll').stderr).toContain('standard input is a sketch of distinct keys');
    if (!IS_LONG) return;
    expect(await refused('size', '-n', '@cut.hll')).toContain('cut.hll is damaged');
    expect(await refused('size', '-n', '@nowhere')).toContain('cannot read nowhere: no such file');
    expect(await refused('size', '-n', '@')).toContain('expected the name of a file after @');
    expect((await within(['count', '--raw', 'few.hll'])).status).toBe(0);
  });

  test('are written completely or not at all', async () => {
    expect(await refused('count', 'few', '-o', 'few.hll')).toContain('few.hll exists already');
    expect(await refused('count', 'few', '--force')).toContain('no sketch is kept without -o');
    expect(await refused('count', 'few', '-o', '-', '--json')).toContain(
      'the sketch and --json cannot both go to standard output',
    );
    const { stdout, stderr, status } = await within(['count', 'few', 'nowhere']);
    expect({ stdout, status }).toEqual({ stdout: '100000\n', status: 2 });
    expect(stderr).toContain('the count lacks the keys of 1 input that could not be read');
    expect(await within(['count', 'nowhere'])).toMatchObject({ stdout: '', status: 2 });
    expect(await within(['count', 'few', 'nowhere', '-o', 'both.hll', '--force'])).toMatchObject({
      stdout: '',
      status: 2,
    });
    expect((await within(['count', 'both.hll', '-o', 'still.hll'])).status).toBe(0);
  });
});
