// Records printed by whether their keys were seen before, compared with an exact set.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { below, createRandom } from '../reference/random.ts';
import { scratch } from './run.ts';

const { path, shell, start, within } = scratch();

/** Records whose keys come again in the same batch and much later. */
let records: readonly string[] = [];

beforeAll(() => {
  const random = createRandom(16);
  records = Array.from({ length: 60_000 }, (_, i) => `key-${below(random, i < 30_000 ? 200 : 25_000)}`);
  writeFileSync(path('records'), lines(records));
});

/** Kinds that support additions. */
const ADDING = KINDS.filter(({ abilities }) => abilities.includes('add')).map(({ name }) => name);

const lines = (some: readonly string[]) => some.map((record) => `${record}\n`).join('');

/** The records whose number of earlier sightings is wanted. */
function seenBefore(some: readonly string[], isWanted: (times: number) => boolean, keyOf = (record: string) => record) {
  const times = new Map<string, number>();
  return some.filter((record) => {
    const key = keyOf(record);
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    return isWanted(before);
  });
}

describe('the records that are printed, in their order', () => {
  test.each([
    [[]],
    [['-n', '30k']],
    [['-n', '30k', '-p', '1e-9']],
    [['-n', '3M']],
    [['-n', '1k', '--kind', 'scalable']],
    ...inLongRuns(ADDING, ['counting', 'quotient']).map((kind) => [['-n', '30k', '--kind', kind]]),
  ])('with %j', async (size) => {
    // One function selects the printed records for all kinds, so by default only some sizes try the other selections.
    const isPrintedOtherwise = inLongRuns(true, size.length === 0 || size.includes('counting'));
    const dedup = async (...args: string[]) => {
      const { stdout, stderr, status } = await within(['dedup', ...size, ...args, 'records']);
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      return stdout;
    };
    expect(await dedup()).toBe(lines(seenBefore(records, (times) => times === 0)));
    if (!isPrintedOtherwise) return;
    expect(await dedup('--repeated')).toBe(lines(seenBefore(records, (times) => times === 1)));
    expect(await dedup('--all-repeated')).toBe(lines(seenBefore(records, (times) => times > 0)));
  });

  test('as awk does it', () => {
    expect(shell("$BLOOM dedup records | cmp - <(awk '!seen[$0]++' records)")).toMatchObject({ stdout: '', status: 0 });
  });
});

test('the key is a field, folded and trimmed, and the whole record is printed', async () => {
  writeFileSync(path('fields'), 'x;A;1\n y ; b;2\nz;a ;3\nno field\nq;B;4\nno field\n');
  const { stdout, stderr, status } = await within(['dedup', '-f', '2', '-d', ';', '-i', '--trim', 'fields']);
  expect({ stdout, status }).toEqual({ stdout: 'x;A;1\n y ; b;2\nno field\nno field\n', status: 0 });
  expect(stderr).toBe('2 records have no field 2, and were not dropped\n');
  expect((await within(['dedup', '-f', '2', '--repeated', '-d', ';', 'fields'])).stdout).toBe('');
});

test('a single record without a key is counted too', async () => {
  const { stderr } = await within(['dedup', '-f', '2'], { stdin: 'x 1\nnone\n' });
  expect(stderr).toBe('1 record has no field 2, and was not dropped\n');
});

test('records that end with NUL, or without terminator, and records of several files', async () => {
  expect((await within(['dedup', '-0'], { stdin: 'a\nb\0c\0a\nb\0c' })).stdout).toBe('a\nb\0c\0');
  expect((await within(['dedup'], { stdin: 'a\r\na\nb' })).stdout).toBe('a\r\nb\n');
  writeFileSync(path('one'), 'a\nb\n');
  expect((await within(['dedup', 'one', '-', 'one'], { stdin: 'b\nc\na\n' })).stdout).toBe('a\nb\nc\n');
});

test('counts and a summary, for people and as JSON', async () => {
  const firsts = seenBefore(records, (times) => times === 0).length;
  const dropped = records.length - firsts;
  expect(await within(['dedup', '--count', 'records'])).toEqual({ stdout: `${firsts}\n`, stderr: '', status: 0 });
  expect((await within(['dedup', '-c', '--all-repeated', 'records'])).stdout).toBe(`${dropped}\n`);
  const text = (await within(['dedup', '--summary', 'records'])).stderr;
  expect(text.replaceAll(',', '')).toMatch(`${records.length} records: ${firsts} printed ${dropped} dropped (`);
  const { stdout, stderr } = await within(['dedup', '-c', '--summary', '--json', '-n', '30k', 'records']);
  expect(stdout).toBe(stderr);
  expect(JSON.parse(stdout)).toEqual({
    records: records.length,
    keys: records.length,
    printed: firsts,
    dropped,
    firstSightings: firsts,
    leastFalsePositives: expect.any(Number),
    expectedFalsePositives: expect.any(Number),
    mostFalsePositives: expect.any(Number),
  });
});

test('records are answered as soon as the input pauses', async () => {
  const { stdin, stdout } = start(['dedup', '-n', '100']);
  if (stdin === null || stdout === null) throw new Error('there are no pipes');
  const answers = stdout[Symbol.asyncIterator]();
  const told = async (text: string) => {
    stdin.write(text);
    return String((await answers.next()).value);
  };
  expect(await told('a\nb\na\n')).toBe('a\nb\n');
  expect(await told('b\na\nc\n')).toBe('c\n');
  stdin.end('c');
  expect((await answers.next()).done).toBe(true);
});

test('a full filter ends dedup after the earlier answers', async () => {
  const numbers = Array.from({ length: 400_000 }, (_, i) => `${i}`);
  const { stdout, stderr, status } = await within(['dedup', '--kind', 'cuckoo', '-n', '200k'], {
    stdin: lines(numbers),
  });
  expect(status).toBe(2);
  expect(stderr).toBe('bloom: the filter is full; state a larger -n, or leave out -n for a filter that grows\n');
  expect(lines(numbers).startsWith(stdout)).toBe(true);
  expect(stdout.length).toBeGreaterThan(0);
});

describe('impossible flags are refused', () => {
  test.each([
    [['--repeated', '--all-repeated'], '--repeated prints a key once'],
    [['--json'], '--json prints the counts of --count and --summary'],
    [['--kind', 'ribbon', '-n', '10'], 'a ribbon filter is made of all its keys at once'],
    [['--kind', 'cuckoo'], 'state -n'],
    [['-n', '10', '--growth', '4'], '--growth describes how a filter grows'],
    // Two filters share the bits, and each has at least one.
    [['--bits', '1', '--window', '10', '-p', '0.9'], '--bits is too small: 1 bit holds no key'],
  ] as const)('%j', async (args, message) => {
    const { stdout, stderr, status } = await within(['dedup', ...args], { stdin: 'a\n' });
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toContain(message);
  });
});

test('its help has no flags that give a record several keys', async () => {
  const { stdout } = await within(['dedup', '--help']);
  expect(stdout).not.toMatch(/--tokens/);
  expect(stdout).toContain('separate fields by runs of any of these characters');
});

test.runIf(IS_LONG)('a growing filter begins larger for large inputs, and finds the same', async () => {
  // 37 MB, for which bloom starts threads too.
  const end = ' and so on'.repeat(30);
  const many = Array.from({ length: 2 }, (_, i) => records.map((record) => `${record}${end} to ${i}`)).flat();
  writeFileSync(path('many'), lines(many));
  expect((await within(['dedup', 'many'])).stdout).toBe(lines(seenBefore(many, (times) => times === 0)));
  expect(shell('cat many | $BLOOM dedup --repeated | cmp - <($BLOOM dedup --repeated many)').status).toBe(0);
});

describe('the number of lost first sightings is that of the summary', () => {
  const distinct = 40_000;
  // Half of the looked-up keys came before.
  const numbers = Array.from({ length: distinct }, (_, i) => [`number ${i}`, `number ${i >> 1}`]).flat();

  /** Flags, and the number of keys for which the filter is then too small. */
  type Case = readonly [flags: string, tooSmallFor: string | undefined];

  test.each<Case>([
    ...sampled(ADDING).map((kind): Case => [`--kind ${kind} -n ${distinct} -p 3%`, undefined]),
    ['--kind scalable -n 1k -p 3%', undefined],
    ['--memory 32KiB -p 10% --kind scalable --growth 4', undefined],
    ['-n 10k -p 1%', '10,000'],
    ['-n 100', '100'],
    ['-n 100 --threads 3', '100'],
    ['-n 10k -p 1% --threads 3', '10,000'],
    [`-n ${distinct} -p 3% --threads 3`, undefined],
  ])('%s', async (flags, tooSmallFor) => {
    const args = flags.split(' ');
    // Threads that are started for less than a chunk write to a file, as their standard output is not that of this process.
    const chunk = args.includes('--threads') ? 2 ** 16 : undefined;
    writeFileSync(path('numbers'), lines(numbers));
    const { stderr } = await within(
      ['dedup', '--summary', '--json', '-o', 'found', '--force', ...args, 'numbers'],
      chunk === undefined ? {} : { chunk },
    );
    const printed = readFileSync(path('found'), 'utf8').trimEnd().split('\n');
    expect(new Set(printed).size).toBe(printed.length);
    const [summary = '', ...warnings] = stderr.trimEnd().split('\n').reverse();
    const { firstSightings, ...counts } = JSON.parse(summary);
    const { leastFalsePositives: least, expectedFalsePositives: expected, mostFalsePositives: most } = counts;
    expect(firstSightings).toBe(printed.length);
    const lost = distinct - printed.length;
    expect(warnings.map((warning) => warning.replace(/ and got .*/, ''))).toEqual(
      tooSmallFor === undefined ? [] : [`bloom: warning: the filter was sized for ${tooSmallFor} keys`],
    );
    expect(lost).toBeGreaterThanOrEqual(least);
    expect(lost).toBeLessThanOrEqual(most);
    // Only a filter that is far too small states no number.
    expect(expected === null).toBe(tooSmallFor === '100');
    if (expected !== null) expect(Math.abs(lost / expected - 1)).toBeLessThan(0.05 + 5 / Math.sqrt(expected));
    expect(lost).toBeGreaterThan(10);
  });
});

describe('the fields of a list are one key', () => {
  const random = createRandom(3);
  const table = Array.from({ length: 3000 }, () =>
    Array.from({ length: 1 + below(random, 4) }, () =>
      'abc'.slice(0, 1 + below(random, 3)).repeat(1 + 9 * below(random, 2)),
    ),
  );

  test.each([
    ['1,3', [0, 2], 0],
    ['2-', [1, 2, 3], 1],
    ['-1,1', [0, -1], 2],
  ])('-f %s', async (list, places, row) => {
    const keyOf = (fields: readonly string[]) =>
      fields.filter((_, i) => places.includes(i) || places.includes(i - fields.length));
    // A row without any of these fields is always new.
    const expected = (glue: string) => {
      const seen = new Set<string>();
      const isNew = (key: string) => !seen.has(key) && seen.add(key);
      return lines(
        table.flatMap((fields) => {
          const key = keyOf(fields);
          return key.length === 0 || isNew(JSON.stringify(key)) ? [fields.join(glue)] : [];
        }),
      );
    };
    const glues: readonly (readonly [string, ...string[]])[] = [
      [' '],
      [', ', '-d', ', '],
      ['#', '-D', '#;'],
      [',', '--csv'],
    ];
    for (const [glue, ...args] of inLongRuns(glues, glues.slice(row, row + 2))) {
      const stdin = lines(table.map((fields) => fields.join(glue)));
      expect((await within(['dedup', '-f', list, '-p', '1e-9', ...args], { stdin })).stdout).toBe(expected(glue));
    }
  });

  test('fields of CSV are the content of the quotes, and do not run into each other', async () => {
    const records = 'a,"b,c",1\n"a,b",c,1\na,"b,c",2\na,"x""\ny",3\n"a",b,4\na,"x""\ny",5\n"a""",b,1\n';
    expect((await within(['dedup', '--csv', '-f', '1,2'], { stdin: records })).stdout).toBe(
      'a,"b,c",1\n"a,b",c,1\na,"x""\ny",3\n"a",b,4\n"a""",b,1\n',
    );
  });

  test('they may have any number of bytes together', async () => {
    // The first 10,000 pairs differ, and the second 10,000 are the same.
    const pairs = Array.from({ length: 20_000 }, (_, i) => `left${(i % 10_000) % 97},mid,right${(i % 10_000) % 1009}`);
    const { stdout } = await within(['dedup', '-d', ',', '-f', '3,1', '-p', '1e-9'], { stdin: lines(pairs) });
    expect(stdout === lines(pairs.slice(0, 10_000))).toBe(true);
  });

  test('they are looked up in a state in the same form', async () => {
    expect((await within(['dedup', '-f', '1,3', '--state', 'fields.bloom'], { stdin: 'a b  c\n' })).stdout).toBe(
      'a b  c\n',
    );
    expect((await within(['query', 'fields.bloom', '-e', 'a c'])).stdout).toBe('a c\n');
  });
});
