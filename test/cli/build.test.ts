import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { HASHES } from '../../src/hashes/registry.ts';
import { IS_LONG } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell, within } = scratch();
const WORDS = fixture('words.txt');
const WORD_COUNT = 5130;
const buildJson = async (...args: string[]) =>
  JSON.parse((await within(['build', '--json', '--force', ...args])).stdout);
/** The number of words in the list that a filter does not find; must be 0. */
const missing = async (filter: string) => Number((await within(['query', '-v', '-c', filter, WORDS])).stdout);

describe('build', () => {
  test('sizes a filter from the distinct keys of a file', async () => {
    const { stderr, stdout, status } = await within(['build', WORDS, '-o', 'words.bloom']);
    expect(status).toBe(0);
    expect(stdout).toBe('');
    // ceil(5130 * 9.585058...) bits, rounded up to whole lines of 512.
    expect(stderr).toMatch(
      /^words\.bloom: 5,130 keys \(5,130 distinct\), 49,664 bits \(6\.36 kB\), k = 7, predicted rate \d/,
    );
    expect(await missing('words.bloom')).toBe(0);
  });

  test('counts repetitions once', async () => {
    const summary = await buildJson(WORDS, WORDS, '-o', 'twice.bloom');
    expect(summary).toMatchObject({
      capacity: WORD_COUNT,
      inserted: 2 * WORD_COUNT,
      estimatedItems: WORD_COUNT,
      estimateIsExact: true,
    });
  });

  test('reads standard input like a file', async () => {
    const summary = await within(['build', '-o', 'piped.bloom'], { stdin: readFileSync(WORDS) });
    expect(summary.status).toBe(0);
    await within(['build', WORDS, '-o', 'filed.bloom']);
    expect(readFileSync(path('piped.bloom')).equals(readFileSync(path('filed.bloom')))).toBe(true);
  });

  test.runIf(IS_LONG)('sizes large inputs by a sketch, from files and pipes alike', async () => {
    // 1.2 million records of 600,000 keys: more than a batch, so files are read twice and pipes are spilled.
    shell('seq 600000 > numbers.txt; seq 600000 >> numbers.txt');
    const fromFile = await buildJson('numbers.txt', '-o', 'file.bloom');
    shell('cat numbers.txt | $BLOOM build - -o pipe.bloom');
    expect(readFileSync(path('pipe.bloom')).equals(readFileSync(path('file.bloom')))).toBe(true);
    expect(fromFile.inserted).toBe(1_200_000);
    // The estimate, a margin of 3 standard errors of 0.41 %, and as much again for the error of the estimate.
    expect(fromFile.capacity).toBeGreaterThan(600_000);
    expect(fromFile.capacity).toBeLessThan(600_000 * 1.0246);
    expect((await within(['query', '-v', '-c', 'file.bloom', 'numbers.txt'])).stdout).toBe('0\n');
  });

  test('accepts n and p, m and k, and bits per key', async () => {
    expect(await buildJson('-n', '10k', '-p', '0.1%', WORDS, '-o', 'a.bloom')).toMatchObject({
      capacity: 10_000,
      hashes: 10,
      targetFpr: 0.001,
    });
    expect(await buildJson('-m', '64k', '-k', '5', WORDS, '-o', 'b.bloom')).toMatchObject({ hashes: 5, bits: 64_000 });
    expect(await buildJson('-n', '10k', '--bits-per-key', '16', WORDS, '-o', 'c.bloom')).toMatchObject({
      hashes: 11,
      bits: 160_256,
    });
    expect((await buildJson('--headroom', '100%', WORDS, '-o', 'd.bloom')).capacity).toBe(2 * WORD_COUNT);
  });

  test('warns of more keys than the capacity, with the resulting rate', async () => {
    const { stderr, status } = await within(['build', '-n', '1k', WORDS, '-o', 'full.bloom']);
    expect(status).toBe(0);
    expect(stderr).toContain('warning');
    expect(stderr).toContain('sized for 1,000 keys and has 5,130');
    // (1 - e^(-7 * 5130 / 9728))^7
    expect(stderr).toContain('its false-positive rate is 84.');
    expect(await missing('full.bloom')).toBe(0);
  });

  test('warns of a filter with no empty bit, whose keys cannot be counted', async () => {
    shell('seq 300000 > many');
    const { stderr } = await within(['build', '-n', '50', 'many', '-o', 'saturated.bloom']);
    expect(stderr).toMatch(/has at least \d+: its false-positive rate is 100 %.*; build it with -n 300k\n/);
    expect((await within(['stats', '--check', '--probes', '0', 'saturated.bloom'])).status).toBe(1);
  });

  test('with --strict, more keys are an error and nothing is written', async () => {
    const { stderr, status } = await within(['build', '--strict', '-n', '5129', WORDS, '-o', 'strict.bloom']);
    expect(status).toBe(2);
    expect(stderr).toContain('sized for 5,129 keys and has 5,130');
    expect(readdirSync(path('.'))).not.toContain('strict.bloom');
    expect((await within(['build', '--strict', '-n', '5130', WORDS, WORDS, '-o', 'strict.bloom'])).status).toBe(0);
  });

  test('copies every parameter of another filter with --like', async () => {
    await within(['build', '-n', '20k', '-p', '0.5%', '--seed', '7', '-i', WORDS, '-o', 'model.bloom']);
    await within(['build', '--like', 'model.bloom', fixture('packages.txt'), '-o', 'alike.bloom']);
    expect((await within(['merge', 'model.bloom', 'alike.bloom', '--dry-run'])).status).toBe(0);
    const { stderr, status } = await within(['build', '--like', 'model.bloom', '-n', '5', WORDS, '-o', 'x.bloom']);
    expect(status).toBe(2);
    expect(stderr).toContain('--items');
  });

  test('records normalisation, and queries obey it', async () => {
    await within(['build', '-i', '--trim', '-o', 'folded.bloom'], { stdin: '  Hello \nWORLD\t\n' });
    expect((await within(['query', 'folded.bloom', '-e', 'hELLO', '-e', ' world', '-e', 'word'])).stdout).toBe(
      'hELLO\n world\n',
    );
    await within(['build', '-o', 'exact.bloom'], { stdin: 'Hello\n' });
    expect((await within(['query', 'exact.bloom', '-e', 'hello'])).status).toBe(1);
  });

  test('selects fields', async () => {
    const { stderr } = await within(['build', '-f', '4', fixture('dpkg.log'), '-o', 'names.bloom']);
    expect(stderr).toMatch(/^names\.bloom: 600 keys/);
    // awk splits the same way.
    expect(shell(`awk '{ print $4 }' ${fixture('dpkg.log')} | $BLOOM query -v -c names.bloom`).stdout).toBe('0\n');
    await within(['build', '-d', ',', '-f', '2', '-o', 'csv.bloom'], { stdin: 'a,b,c\nx\n,,\n' });
    expect((await within(['query', 'csv.bloom', '-e', 'b', '-e', '', '-e', 'x', '-e', 'c'])).stdout).toBe('b\n\n');
    expect(
      (await within(['build', '-d', ',', '-f', '2', '-o', 'csv2.bloom'], { stdin: 'a,b,c\nx\n' })).stderr,
    ).toContain('1 record has no field 2');
  });

  test('an empty input makes an empty filter', async () => {
    expect(await buildJson('-o', 'empty.bloom')).toMatchObject({ inserted: 0, predictedFpr: 0 });
    expect((await within(['query', 'empty.bloom', '-e', 'a', '-e', ''])).status).toBe(1);
  });

  test('refuses to overwrite a file, and to read its own output', async () => {
    writeFileSync(path('precious'), 'precious\n');
    const { stderr, status } = await within(['build', WORDS, '-o', 'precious']);
    expect(status).toBe(2);
    expect(stderr).toContain('--force');
    expect((await within(['build', 'precious', '--force', '-o', 'precious'])).status).toBe(2);
    expect(readFileSync(path('precious'), 'utf8')).toBe('precious\n');
    for (const line of ['build precious -o - >> precious', 'build -o - < precious >> precious']) {
      expect(shell(`$BLOOM ${line}`)).toMatchObject({
        stderr: expect.stringContaining(' is both an input and the output'),
        status: 2,
      });
    }
    expect(readFileSync(path('precious'), 'utf8')).toBe('precious\n');
  });

  test('replaces the target of a link and keeps its mode', async () => {
    writeFileSync(path('target'), '');
    chmodSync(path('target'), 0o640);
    symlinkSync(path('target'), path('link'));
    expect((await within(['build', WORDS, '--force', '-o', 'link'])).status).toBe(0);
    expect(statSync(path('target')).size).toBeGreaterThan(6000);
    expect(statSync(path('target')).mode & 0o777).toBe(0o640);
  });

  test('writes into pipes and devices', () => {
    expect(shell(`$BLOOM build ${WORDS} -o - 2>/dev/null | $BLOOM query - ${WORDS} -c`).stdout).toBe(`${WORD_COUNT}\n`);
    expect(bloom(['build', WORDS, '-o', '/dev/null']).status).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(bloom(['build', WORDS, '-o', '/dev/full']).status).toBe(2);
  });

  test('reads the other inputs if one cannot be read, and exits with 2', async () => {
    const fresh = await within(['build', 'absent.txt', WORDS, '-o', 'partial.bloom']);
    expect(fresh.status).toBe(2);
    expect(fresh.stderr).toContain('absent.txt: no such file');
    expect(fresh.stderr).toContain('lacks the keys of 1 input');
    expect(await missing('partial.bloom')).toBe(0);
    // An incomplete file never replaces a complete one.
    const before = readFileSync(path('partial.bloom'));
    const replaced = await within(['build', 'absent.txt', fixture('packages.txt'), '--force', '-o', 'partial.bloom']);
    expect(replaced.status).toBe(2);
    expect(replaced.stderr).toContain('left as it was');
    expect(readFileSync(path('partial.bloom')).equals(before)).toBe(true);
  });

  test('writes nothing if no input can be read, so the corrected command needs no --force', async () => {
    const { stderr, status } = await within(['build', 'wrods.txt', '.', '-o', 'mistyped.bloom']);
    expect(status).toBe(2);
    expect(stderr).toBe(
      'bloom: cannot read wrods.txt: no such file or folder\nbloom: cannot read .: is a directory\nbloom: nothing was written: 2 inputs could not be read (see above); fix it or leave it out\n',
    );
    expect(readdirSync(path('.'))).not.toContain('mistyped.bloom');
    expect(shell('$BLOOM build -n 10 wrods.txt -o - 2> /dev/null | wc -c').stdout.trim()).toBe('0');
  });

  test('no other file is proposed for one that is there, or has a short name', async () => {
    mkdirSync(path('short'));
    writeFileSync(path('short/f'), 'a\n');
    writeFileSync(path('short/archive'), 'PK\x03\x04');
    for (const name of ['archive', 'gg']) {
      const { stderr } = await within(['build', name, '-o', 'x.bloom'], { folder: 'short' });
      expect(stderr).toMatch(/nothing was written: 1 input could not be read \(see above\); fix it or leave it out\n$/);
    }
  });

  test('leaves no temporary file behind', () => {
    expect(readdirSync(path('.')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

test('describes each kind and each hash in its help', async () => {
  const help = (await within(['build', '--help'])).stdout;
  for (const { name, purpose } of [...KINDS, ...HASHES])
    expect(help).toMatch(new RegExp(`^ +${name} +${purpose}$`, 'm'));
});

test('skips an input that cannot be read, except with --strict', async () => {
  expect(await within(['build', '-n', '10k', WORDS, 'gone', '-o', 'lacking.bloom'])).toMatchObject({
    stderr: expect.stringContaining('lacking.bloom lacks the keys of 1 input that could not be read'),
    status: 2,
  });
  expect(await missing('lacking.bloom')).toBe(0);
  for (const size of [['-n', '10k'], []]) {
    expect(await within(['build', '--strict', ...size, WORDS, 'gone', '-o', 'whole.bloom'])).toMatchObject({
      stderr: expect.stringContaining('nothing was written: 1 input could not be read'),
      status: 2,
    });
  }
  expect(readdirSync(path('.')).filter((name) => name.includes('whole'))).toEqual([]);
});
