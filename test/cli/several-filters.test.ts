// Several filters in one query: their common records, and which of them has a record, against sets of the same keys.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, within } = scratch();

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `Key ${from + i}`);

/** Filters of all sorts, so empty that nothing else is found. Each tests whether a set of keys has a key under its normalisation. */
const FILTERS = {
  'plain.bloom': { keys: numbers(0, 3000), flags: [], fold: (key: string) => key },
  'same.bloom': { keys: numbers(2000, 5000), flags: ['--kind', 'blocked'], fold: (key: string) => key },
  'large.bloom': { keys: numbers(1000, 4000), flags: ['-n', '1M'], fold: (key: string) => key },
  'folded.bloom': { keys: numbers(4000, 6000), flags: ['-i', '--seed', '9'], fold: (key: string) => key.toLowerCase() },
  'cuckoo.bloom': { keys: numbers(10, 20), flags: ['--kind', 'cuckoo', '--hash', 'xxh3'], fold: (key: string) => key },
  'trimmed.guava': {
    keys: numbers(5990, 6010),
    flags: ['--format', 'guava', '-n', '100k'],
    fold: (key: string) => key,
  },
} as const;

type Name = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as Name[];

const RECORDS = [...numbers(0, 7000), 'KEY 4500', 'KEY 17', 'none', ''];

/** The filters that have a record, in the order of the query. */
const having = (record: string, names: readonly Name[] = NAMES) =>
  names.filter((name) => {
    const { keys, fold } = FILTERS[name];
    return sets.get(name)?.has(fold(record)) ?? keys.length < 0;
  });
const sets = new Map(NAMES.map((name) => [name, new Set<string>(FILTERS[name].keys.map(FILTERS[name].fold))]));

beforeAll(async () => {
  for (const name of NAMES) {
    const { keys, flags } = FILTERS[name];
    writeFileSync(path('keys'), keys.map((key) => `${key}\n`).join(''));
    expect((await within(['build', '-p', '1e-9', ...flags, 'keys', '-o', name])).stderr).not.toMatch(/error/);
  }
  writeFileSync(path('records'), RECORDS.map((record) => `${record}\n`).join(''));
});

/** The first filter, and the other filters with -F. */
const asked = (names: readonly string[]) => names.flatMap((name, i) => (i === 0 ? [name] : ['-F', name]));
const query = async (names: readonly string[], ...args: readonly string[]) =>
  await within(['query', ...asked(names), ...args]);
const lines = (records: readonly string[]) => records.map((record) => `${record}\n`).join('');

describe('a record is selected', () => {
  test('if any filter has it', async () => {
    const expected = RECORDS.filter((record) => having(record).length > 0);
    expect(await query(NAMES, 'records')).toEqual({ stdout: lines(expected), stderr: '', status: 0 });
    if (IS_LONG) expect((await query(NAMES, 'records', '-c')).stdout).toBe(`${expected.length}\n`);
    expect((await query(NAMES, 'records', '-v')).stdout).toBe(
      lines(RECORDS.filter((record) => having(record).length === 0)),
    );
  });

  test('with --all if all filters have it', async () => {
    const names: readonly Name[] = ['plain.bloom', 'same.bloom', 'large.bloom'];
    const expected = RECORDS.filter((record) => having(record, names).length === 3);
    expect(expected.length).toBe(1000);
    expect((await query(names, 'records', '--all')).stdout).toBe(lines(expected));
    expect((await query(names, 'records', '--all', '-vc')).stdout).toBe(`${RECORDS.length - 1000}\n`);
    expect(await query([...names, 'folded.bloom'], 'records', '--all')).toEqual({ stdout: '', stderr: '', status: 1 });
    expect((await query(names, '--all', '-q', '-e', 'Key 2500')).status).toBe(0);
    expect((await query(names, '--all', '-q', '-e', 'Key 1500')).status).toBe(1);
  });

  test.each([
    [['plain.bloom'], false],
    [['plain.bloom', 'same.bloom'], true],
  ])('with --all and %j, which share their errors if there are several', async (names, areSeveral) => {
    const { stderr } = await query(names, 'records', '--all', '--summary', '-c');
    expect([/at most/.test(stderr), / per filter$/m.test(stderr)]).toEqual([areSeveral, areSeveral]);
  });

  test('regardless of earlier answers for other files', async () => {
    const absent = numbers(7000, 7010);
    for (const [name, records] of Object.entries({ ten: numbers(0, 10), one: numbers(1, 2), absent }))
      writeFileSync(path(name), lines(records));
    expect((await query(['folded.bloom', 'plain.bloom'], '-v', 'ten', 'one', 'absent')).stdout).toBe(lines(absent));
  });

  test('at any position among more records than one batch has', async () => {
    writeFileSync(path('many'), lines(numbers(0, 50_000)));
    writeFileSync(path('late'), lines(['Key 17000', 'Key 40000', 'Key 49999']));
    await within(['build', 'late', '-n', '1k', '-p', '1e-9', '-o', 'late.bloom']);
    const { stdout } = await query(['plain.bloom', 'late.bloom'], '-n', 'many');
    const expected = [...numbers(0, 3000), 'Key 17000', 'Key 40000', 'Key 49999'];
    expect(stdout).toBe(lines(expected.map((key) => `${Number(key.slice(4)) + 1}:${key}`)));
  });

  test('by any of its tokens, whichever filter has which', async () => {
    writeFileSync(path('tokens'), 'a,Key 5\nKey 5,Key 4500\nKey 5,KEY 4500\nb\n');
    const names = ['plain.bloom', 'folded.bloom'];
    const flags = ['-f', '1-', '-d', ','];
    expect((await query(names, 'tokens', ...flags)).stdout).toBe('a,Key 5\nKey 5,Key 4500\nKey 5,KEY 4500\n');
    expect((await query(names, 'tokens', ...flags, '--all')).stdout).toBe('Key 5,Key 4500\nKey 5,KEY 4500\n');
  });
});

describe('--which', () => {
  const named = (record: string) => `${having(record).join(',')}\t${record}`;

  test.each(sampled(['1', '2', '3', '4', '8', '16']))(
    'names the filters that have a record, with --threads %s',
    async (threads) => {
      const expected = RECORDS.filter((record) => having(record).length > 0).map(named);
      expect((await query(NAMES, 'records', '--which', '--threads', threads)).stdout).toBe(lines(expected));
    },
  );

  test('after the tag, and before the name and number of the record', async () => {
    const { stdout } = await query(NAMES, '--which', '--tag', '-nH', 'records');
    const tagged = RECORDS.map((record, i) => {
      const names = having(record);
      return `${names.length > 0 ? '+' : '-'}${names.join(',')}\trecords:${i + 1}:${record}`;
    });
    expect(stdout).toBe(lines(tagged));
  });

  test('as a list in JSON, and of records that are larger than a buffer', async () => {
    const long = 'x'.repeat(2 ** 20);
    writeFileSync(path('long'), `${long}\nKey 15\n`);
    const objects = (await query(NAMES, '--which', '--json', 'long')).stdout.trimEnd().split('\n');
    const filters = ['plain.bloom', 'cuckoo.bloom'];
    expect(objects.map((object) => JSON.parse(object))).toEqual([
      { record: long, match: false, filters: [], file: 'long', line: 1 },
      { record: 'Key 15', match: true, filters, file: 'long', line: 2 },
    ]);
    writeFileSync(path('long-key'), `${long}\n`);
    await within(['build', 'long-key', '-p', '1e-9', '-o', 'long.bloom']);
    expect((await query(['plain.bloom', 'long.bloom', 'same.bloom'], '--which', 'long')).stdout).toBe(
      `long.bloom\t${long}\nplain.bloom\tKey 15\n`,
    );
  });

  test('of many filters with long names', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `${'long'.repeat(i)}${i}.bloom`);
    for (const [i, name] of names.entries())
      await within(['build', '-p', '1e-9', '-', '-o', name], { stdin: `own ${i}\neach\n` });
    const records = ['own 7', 'each', 'none', 'own 19', 'own 0'];
    writeFileSync(path('owned'), lines(records));
    const expected = [`${names[7]}\town 7`, `${names.join(',')}\teach`, `${names[19]}\town 19`, `${names[0]}\town 0`];
    expect((await query(names, '--which', 'owned')).stdout).toBe(lines(expected));
    const objects = (await query(names, '--which', '--json', 'owned')).stdout.trimEnd().split('\n');
    expect(objects.map((object) => JSON.parse(object).filters)).toEqual([
      [names[7]],
      names,
      [],
      [names[19]],
      [names[0]],
    ]);
  });

  test('with -c prints the count of each filter', async () => {
    const counts = NAMES.map((name) => RECORDS.filter((record) => having(record).includes(name)).length);
    expect((await query(NAMES, '--which', '-c', 'records')).stdout).toBe(
      lines(NAMES.map((name, i) => `${name}\t${counts[i]}`)),
    );
    const { stdout } = await query(['plain.bloom', 'same.bloom'], '--which', '-c', '--json', 'records');
    expect(JSON.parse(stdout)).toMatchObject({
      positives: 5000,
      perFilter: [
        { filter: 'plain.bloom', positives: 3000 },
        { filter: 'same.bloom', positives: 3000 },
      ],
    });
    expect((await query(['plain.bloom', 'same.bloom'], '--first-only', '-cH', 'records')).stdout).toBe(
      'plain.bloom\trecords:3000\nsame.bloom\trecords:2000\n',
    );
  });

  test('with -c prints 0 for each filter if there is no record', async () => {
    writeFileSync(path('nothing-to-read'), '');
    for (const flags of [['nothing-to-read'], ['--slice', '1/2', 'nothing-to-read'], ['gone']]) {
      const { stdout } = await within(['query', ...asked(['plain.bloom', 'same.bloom']), '--which', '-c', ...flags]);
      expect(stdout).toBe('plain.bloom\t0\nsame.bloom\t0\n');
    }
  });

  test('with --first-only prints the first filter', async () => {
    const expected = RECORDS.flatMap((record) =>
      having(record)
        .slice(0, 1)
        .map((name) => `${name}\t${record}`),
    );
    expect((await query(NAMES, 'records', '--first-only')).stdout).toBe(lines(expected));
  });

  test('with --all -v names the filters that have a record that not all have', async () => {
    const names: readonly Name[] = ['plain.bloom', 'same.bloom'];
    const missing = RECORDS.filter((record) => having(record, names).length < 2);
    expect((await query(names, 'records', '--which', '--all', '-v')).stdout).toBe(
      lines(missing.map((record) => `${having(record, names).join(',')}\t${record}`)),
    );
  });
});

describe('the locations of filters', () => {
  test('a list, a folder, a pattern, and each filter once', async () => {
    mkdirSync(path('more/deep'), { recursive: true });
    for (const [i, name] of ['one.bloom', 'two.bloom', 'deep/three.bloom', '.four.bloom'].entries()) {
      writeFileSync(path('keys'), `${i}\n`);
      await within(['build', 'keys', '-p', '1e-9', '-o', `more/${name}`]);
    }
    writeFileSync(path('more/notes'), 'none\n');
    writeFileSync(path('list'), 'more/one.bloom\r\nmore/deep/three.bloom\nplain.bloom\n');
    const keys = ['0', '1', '2', '3'].flatMap((key) => ['-e', key]);
    const named = async (...args: readonly string[]) => (await within(['query', '--which', ...args, ...keys])).stdout;
    expect(await named('plain.bloom', '--filters-from', 'list')).toBe('more/one.bloom\t0\nmore/deep/three.bloom\t2\n');
    symlinkSync(path('more/two.bloom'), path('link'));
    expect(await named('plain.bloom', '-F', 'more', '-F', './more/one.bloom', '-F', 'link')).toBe(
      'more/one.bloom\t0\nmore/two.bloom\t1\nmore/deep/three.bloom\t2\nmore/.four.bloom\t3\n',
    );
    expect(await named('plain.bloom', '-F', 'm?re/[!n]*.bloom', '-F', '*/d*/*')).toBe(
      'more/one.bloom\t0\nmore/two.bloom\t1\nmore/deep/three.bloom\t2\n',
    );
    expect((await within(['query', 'more/*.bloom', ...keys])).stdout).toBe('0\n1\n');
    expect(await within(['query', 'more/x*', ...keys])).toEqual({
      stdout: '',
      stderr: 'bloom: no file matches more/x*; name filters, or a folder with filters\n',
      status: 2,
    });
  });

  test('an unreadable filter is reported, and the others are queried', async () => {
    const { stdout, stderr, status } = await query(['plain.bloom', 'missing', 'records'], '--which', '-e', 'Key 5');
    expect(stdout).toBe('plain.bloom\tKey 5\n');
    expect(stderr).toMatch(/^bloom: cannot read missing: .*\nbloom: records is not a filter.*\n$/);
    expect(status).toBe(2);
    expect((await query(['missing', 'plain.bloom'], '-q', '-e', 'Key 5')).status).toBe(0);
    expect((await query(['missing', 'plain.bloom'], '-c', '--which', '-e', 'Key 5')).stdout).toBe('plain.bloom\t1\n');
    mkdirSync(path('nothing'));
    expect((await within(['query', 'nothing', '-e', 'a'])).stderr).toBe(
      'bloom: there is no filter in nothing; name filters\n',
    );
    expect(await query(['missing', 'none'], '-e', 'Key 5')).toMatchObject({ stdout: '', status: 2 });
  });

  test('only the damaged segments of a filter give no answer, and the status is 2', async () => {
    const bytes = readFileSync(path('large.bloom'));
    bytes[bytes.length / 2] = (bytes[bytes.length / 2] ?? 0) ^ 1;
    writeFileSync(path('damaged.bloom'), bytes);
    const whole = new Set((await query(['large.bloom', 'cuckoo.bloom'], '--which', 'records')).stdout.split('\n'));
    for (const threads of inLongRuns(['1', '3'], ['3'])) {
      const asked = await query(['damaged.bloom', 'cuckoo.bloom'], '--which', '--threads', threads, 'records');
      const found = asked.stdout.replaceAll('damaged', 'large').split('\n');
      expect(found.length).toBeLessThan(whole.size);
      expect(found.filter((line) => line.includes('cuckoo'))).toHaveLength(10);
      expect(found.filter((line) => !whole.has(line))).toEqual([]);
      expect(asked.stderr).toMatch(/^bloom: damaged\.bloom is damaged: segment \d+ of \d+ does not match .*\n$/);
      expect(asked.status).toBe(2);
    }
  });

  test.each([
    [['--all', '--first-only'], /--first-only prints one/],
    [['--which', '-v'], /-v selects the other records/],
    [['--which', '-l'], /--files-with-matches has no effect/],
    [['--filters-from', '/dev/null'], /\/dev\/null names no filters/],
  ] as const)('%j is refused', async (flags, message) => {
    const { stderr, status } = await query(['plain.bloom', 'same.bloom'], 'records', ...flags);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  test('parts have no answer for keys of other parts', async () => {
    writeFileSync(path('whole'), lines(numbers(0, 9000)));
    for (const part of ['1/3', '2/3', '3/3'])
      await within(['build', '-n', '1M', '-p', '1e-9', '--part', part, 'whole', '-o', `part${part[0]}.bloom`]);
    const all = await query(['part1.bloom', 'part2.bloom', 'part3.bloom'], 'whole', '-c', '--which');
    const counts = all.stdout.match(/\d+$/gm)?.map(Number) ?? [];
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(9000);
    expect(all).toMatchObject({ stderr: '', status: 0 });
    const two = await query(['part1.bloom', 'part3.bloom'], 'whole', '-c');
    expect(two.stdout).toBe(`${9000 - (counts[1] ?? 0)}\n`);
    expect(two.stderr).toMatch(
      new RegExp(
        `^bloom: part1.bloom is only part 1 of 3 of a filter, part3.*: ${(counts[1] ?? 0).toLocaleString('en')} records`,
      ),
    );
    expect(two.status).toBe(2);
    // A record that one filter has is selected, whatever another filter would answer.
    expect((await query(['part1.bloom', 'plain.bloom'], '-e', 'Key 5')).stdout).toBe('Key 5\n');
  });

  test('formats of other systems', async () => {
    const asked = await within([
      'query',
      fixture('formats/redisbloom/plain.dump'),
      '-F',
      'plain.bloom',
      '--first-only',
      '-e',
      'ab',
      '-e',
      'Key 7',
    ]);
    expect(asked.stdout).toBe(`${fixture('formats/redisbloom/plain.dump')}\tab\nplain.bloom\tKey 7\n`);
  });
});
