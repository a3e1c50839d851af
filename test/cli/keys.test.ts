// The keys of a record, compared with the tools that select them: cut and grep.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG, inLongRuns } from '../long.ts';
import { createRandom } from '../reference/random.ts';
import type { Outcome } from '../starter.ts';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell, within } = scratch();
const LOG = fixture('dpkg.log');

const random = createRandom(16);
const one = (texts: readonly string[]) => texts[random() % texts.length] ?? '';
const some = (count: number, make: () => string) => Array.from({ length: count }, make);

const ADDRESSES = some(40, () => some(4, () => `${random() % 256}`).join('.'));

/** Log lines with addresses in brackets, with ports and paths, in names, and with text that looks like one. To grep, _ is a letter. */
function logLine(): string {
  const word = () =>
    one([
      one(ADDRESSES),
      one(ADDRESSES),
      some(4, () => `${random() % 256}`).join('.'),
      some(1 + (random() % 6), () => `${random() % 1200}`).join('.'),
      'from',
      'x_y',
      'blk_-38865049064139660',
      'sshd',
      '',
    ]);
  const between = () =>
    one([' ', ' ', ' ', '[', '] ', ':', ':50010 ', '/', '-', '.', '. ', '=', '"', ', ', '_x', '..', '/24']);
  return some(1 + (random() % 12), () => `${word()}${between()}`).join('');
}

beforeAll(async () => {
  writeFileSync(path('addresses'), `${ADDRESSES.join('\n')}\n`);
  writeFileSync(path('log'), `${some(4000, logLine).join('\n')}\n`);
  writeFileSync(
    path('rows'),
    `${some(2000, () => some(random() % 6, () => one(['a', 'b', 'c', '', 'long one'])).join(',')).join('\n')}\n`,
  );
  await within(['build', '-p', '1e-9', 'addresses', '-o', 'addresses.bloom']);
});

describe('--tokens words', () => {
  test('finds the lines in which grep -Fw finds one of the keys', async () => {
    const expected = shell('LC_ALL=C grep -Fwf addresses log').stdout;
    expect(expected.split('\n').length).toBeGreaterThan(1000);
    const query = ['query', '--tokens', 'words', 'addresses.bloom'];
    for (const threads of inLongRuns(['1', '2', '3', '16'], ['1', '3']))
      expect((await within([...query, '--threads', threads, 'log'])).stdout).toBe(expected);
    const stdin = readFileSync(path('log'));
    expect((await within(query, { stdin, isPiped: true })).stdout).toBe(expected);
  });

  test('a filter has the words of its input', async () => {
    writeFileSync(path('text'), 'from [1.2.3.4:80], rhost=5.6.7.8.example.org; -- Zoë\n');
    await within(['build', '--tokens', 'words', '-p', '1e-9', 'text', '-o', 'words.bloom', '--force']);
    const keys = ['from', '1.2.3.4', '80', 'rhost', '5.6.7.8.example.org', '5.6.7.8', 'Zoë', 'example', '3', '--', ''];
    expect((await within(['query', 'words.bloom', ...keys.flatMap((key) => ['-e', key])])).stdout).toBe(
      `${keys.slice(0, 7).join('\n')}\n`,
    );
    expect((await within(['count', '--tokens', 'words', 'text'])).stdout).toBe('7\n');
  });
});

test('stats counts keys, also several per record', async () => {
  writeFileSync(path('known'), 'a b c d\ne f\n\n');
  writeFileSync(path('unknown'), 'v w x\ny z a\n');
  await within(['build', '-p', '1e-9', '-f', '1-', 'known', '-o', 'letters.bloom']);
  const args = [
    'stats',
    'letters.bloom',
    '--json',
    '--probes',
    '0',
    '-f',
    '1-',
    '--present',
    'known',
    '--absent',
    'unknown',
  ];
  expect(JSON.parse((await within(args)).stdout)).toMatchObject({
    present: { records: 6, missing: 0 },
    absent: { records: 6, positives: 1 },
  });
  expect(JSON.parse((await within([...args.slice(0, -1), 'known', '--threads', '1'])).stdout)).toMatchObject({
    absent: { records: 6, positives: 6 },
  });
});

describe('-D', () => {
  test('each run of any of its characters is between tokens', async () => {
    const tokens = shell(String.raw`tr -s ' []:' '\n' < log | sort -u | grep -c .`).stdout;
    expect((await within(['count', '-D', ' []:', 'log'])).stdout).toBe(tokens);
    expect((await within(['count', '-D', ' []:', '-f', '1-', 'log'])).stdout).toBe(tokens);
  });

  test('with -f it is between fields', async () => {
    const third = shell(String.raw`sed 's/^[ :]*//' ${LOG} | tr -s ' :' '\t' | cut -f 3 | sort -u | wc -l`).stdout;
    expect((await within(['count', '-D', ' :', '-f', '3', LOG])).stdout.trim()).toBe(third.trim());
    expect((await within(['count', '-D', String.raw` :\t`, '-f', '3', LOG])).stdout.trim()).toBe(third.trim());
  });
});

describe('a list of fields', () => {
  test.each(
    inLongRuns(
      [
        ['2', '2'],
        ['2-', '2-'],
        ['1,3-5', '1,3-5'],
        ['4,1-2,2', '1,2,4'],
      ],
      [
        ['2-', '2-'],
        ['4,1-2,2', '1,2,4'],
      ],
    ),
  )('-f %s has the keys that cut -f %s prints', async (list, cut) => {
    const cutFields = `cut -d, -f ${cut} rows | tr , '\\n' | sort -u | wc -l`;
    expect((await within(['count', '-d', ',', '-f', list, 'rows'])).stdout.trim()).toBe(shell(cutFields).stdout.trim());
  });

  test('negative numbers count from the last field, as cut of the reversed line does', async () => {
    const reversed = "rev rows | cut -d, -f 1,3 | rev | tr , '\\n' | sort -u | wc -l";
    expect((await within(['count', '-d', ',', '-f', '-1,-3', 'rows'])).stdout.trim()).toBe(
      shell(reversed).stdout.trim(),
    );
    expect((await within(['count', '-d', ',', '-f', '-1', 'rows'])).stdout.trim()).toBe(
      shell('rev rows | cut -d, -f 1 | rev | sort -u | wc -l').stdout.trim(),
    );
  });

  test('any field may match', async () => {
    writeFileSync(path('pairs'), 'a x y\nb y x\nc y z\nd\n');
    await within(['build', '-p', '1e-9', '-', '-o', 'x.bloom'], { stdin: 'x\nd\n' });
    expect((await within(['query', 'x.bloom', '-f', '2,-1', 'pairs'])).stdout).toBe('a x y\nb y x\nd\n');
    expect((await within(['query', 'x.bloom', '-f', '2-3', 'pairs'])).stdout).toBe('a x y\nb y x\n');
    expect((await within(['query', 'x.bloom', '-v', '-f', '2-3', 'pairs'])).stdout).toBe('c y z\nd\n');
  });
});

describe('--csv', () => {
  const ROWS = [
    'id,"name",note',
    '1,"Smith, John","said ""no"""',
    '2,"two\nlines",x',
    '3,5" disk,"a ""b\r\nc"\r',
    '4,,"',
  ];

  beforeAll(async () => {
    writeFileSync(path('table.csv'), ROWS.join('\n'));
    const keys = ['Smith, John', 'two\nlines', '5" disk', 'said "no"', 'a "b\r\nc'];
    await within(['build', '-0', '-p', '1e-9', '-', '-o', 'cells.bloom'], { stdin: keys.join('\0') });
  });

  test('quotes around fields are removed, and records may contain newlines', async () => {
    const [, john, lines, disk, last] = ROWS;
    const query = async (...args: string[]) =>
      (await within(['query', 'cells.bloom', 'table.csv', '--csv', ...args])).stdout;
    expect(await query('-f', '2')).toBe(`${john}\n${lines}\n${disk}\n`);
    expect(await query('-f', '3', '-n')).toBe(`2:${john}\n4:${disk}\n`);
    expect((await query('-f', '3', '-v', '-n')).split('\n').slice(0, 3)).toEqual([
      '1:id,"name",note',
      '3:2,"two',
      'lines",x',
    ]);
    expect(await query('-f', '-1', '-o')).toBe('said "no"\na "b\r\nc\n');
    const stdin = '1;"two\nlines";\n2;"x;y"\n';
    expect((await within(['query', 'cells.bloom', '--csv', '-d', ';', '-f', '2'], { stdin })).stdout).toBe(
      '1;"two\nlines";\n',
    );
    if (!IS_LONG) return;
    expect(await query('-f', '1-', '-c')).toBe('3\n');
    expect(await query('-f', '2,-1', '--all-fields')).toBe(`${john}\n${disk}\n`);
    expect(await query('-f', '1', '-v')).toBe(`${ROWS.join('\n')}\n`);
    expect(last).toBe('4,,"');
    expect(shell('cat table.csv | $BLOOM count --csv -f 2').stdout).toBe('5\n');
  });

  test('it is read in order, by any number of threads, in a file and in a pipe', async () => {
    const rows = some(inLongRuns(20_000, 2000), () => {
      const cell = () => one(['two\nlines', 'plain', 'with ""quotes""', 'a,b', '', 'x'.repeat(random() % 400)]);
      return `"${cell()}",${one(['in"ch', 'y', ''])},"${cell()}"`;
    });
    const text = `${rows.join('\n')}\n`;
    // 36 MB in long runs, for which bloom starts threads.
    const times = inLongRuns(Math.ceil(36e6 / text.length), 1);
    writeFileSync(path('large.csv'), text.repeat(times));
    const found = rows.filter((row) => row.startsWith('"two\nlines",'));
    const expected = `${found.join('\n')}\n`.repeat(times);
    const args = ['query', 'cells.bloom', '--csv', '-f', '1'];
    for (const threads of inLongRuns(['1', '2', '3', '16'], []))
      expect(bloom([...args, '--threads', threads, 'large.csv']).stdout === expected, threads).toBe(true);
    const piped = [...args, '--threads', '4', '--output', 'printed'];
    const stdin = readFileSync(path('large.csv'));
    expect(await within(piped, { stdin, isPiped: true, chunk: 9999 })).toEqual({ stdout: '', stderr: '', status: 0 });
    expect(readFileSync(path('printed'), 'utf8') === expected).toBe(true);
  });

  test('it is neither cut into slices nor printed one line per record', async () => {
    expect(await within(['query', 'cells.bloom', '--csv', '-f', '1', '--slice', '1/2', 'table.csv'])).toMatchObject({
      stderr: expect.stringContaining('--slice cuts files anywhere, and a newline of --csv may be in quotes there'),
      status: 2,
    });
    expect(await within(['query', '--which', 'cells.bloom', '--csv', '-f', '1'])).toMatchObject({
      stderr: expect.stringContaining(
        '--which prints one line per record, and records of --csv may have several lines',
      ),
      status: 2,
    });
  });
});

const HAS_JQ = spawnSync('jq', ['--version']).status === 0;
if (!HAS_JQ) console.warn('jq is not installed: what --json-key finds is not compared with what jq finds');

describe('--json-key', () => {
  const EVENTS = [
    '{"user":{"id":"a1"},"n":1}',
    '{"user":{"id":"\\u0061\\u0031\\ud83d\\ude00/\\n"},"n":-0.25}',
    '{"user":{"id":17},"n":true}',
    '{"user":{"name":"id"},"n":"1"}',
    '{"user":null}',
    'no JSON',
    '',
  ];

  beforeAll(async () => {
    writeFileSync(path('events'), `${EVENTS.join('\n')}\n`);
    await within(['build', '--json-key', 'user.id', '-p', '1e-9', 'events', '-o', 'ids.bloom']);
  });

  test.runIf(HAS_JQ)('finds what jq -r prints', async () => {
    const found = shell("sed '/^{/!d' events | jq -r '.user.id // empty'").stdout;
    expect(found).toBe('a1\na1😀/\n\n17\n');
    expect((await within(['query', '-0', 'ids.bloom'], { stdin: 'a1\0a1😀/\n\x0017\0id\0null\0\0' })).stdout).toBe(
      'a1\0a1😀/\n\x0017\0',
    );
  });

  test('lines without the path have no key', async () => {
    const built = await within(['build', '--json-key', 'user.id', 'events', '-o', 'ids.bloom', '--force']);
    expect(built.stderr).toMatch(/^ids.bloom: 3 keys .*; 4 records have no value of user.id; /);
    expect((await within(['query', 'ids.bloom', '--json-key', 'user.id', 'events'])).stdout).toBe(
      `${EVENTS.slice(0, 3).join('\n')}\n`,
    );
    expect((await within(['query', 'ids.bloom', '--json-key', 'user.id', '-v', '-c', 'events'])).stdout).toBe('4\n');
  });
});

describe('--all-fields', () => {
  beforeAll(async () => {
    writeFileSync(path('lines'), 'a b c\na b x\na\nb a\n\nx\n');
    await within(['build', '-p', '1e-9', '-', '-o', 'abc.bloom'], { stdin: 'a\nb\nc\n' });
    await within(['build', '-p', '1e-9', '-', '-o', 'ab.bloom'], { stdin: 'a\nb\n' });
  });

  test('selects the records that have all named fields, if each of them is in the set', async () => {
    const query = async (...args: string[]) =>
      (await within(['query', 'abc.bloom', '--all-fields', 'lines', ...args])).stdout;
    expect(await query('-f', '1,-3')).toBe('a b c\na b x\n');
    expect(await query('-f', '2-')).toBe('a b c\nb a\n');
    expect(await query('--tokens', 'words')).toBe('a b c\na\nb a\n');
    expect(await query('-f', '1-', '--tag')).toBe('+a b c\n-a b x\n+a\n+b a\n-\n-x\n');
    expect(await query('-f', '1-', '-F', 'ab.bloom', '--which')).toBe(
      'abc.bloom\ta b c\nabc.bloom,ab.bloom\ta\nabc.bloom,ab.bloom\tb a\n',
    );
    expect(await query('-f', '1-', '-F', 'ab.bloom', '--all')).toBe('a\nb a\n');
    if (!IS_LONG) return;
    expect(await query('-f', '1,2')).toBe('a b c\na b x\nb a\n');
    expect(await query('-f', '1,3')).toBe('a b c\n');
    expect(await query('-f', '1,3', '-v', '-c')).toBe('5\n');
    expect(await query('-f', '1-', '-v')).toBe('a b x\n\nx\n');
  });

  test('parts of a filter leave a record unanswered if no key is absent and one belongs to another part', async () => {
    const parts: Outcome[] = [];
    for (const part of ['1', '2']) {
      const build = ['build', '-n', '1M', '-p', '1e-9', '--part', `${part}/2`, '-', '-o', `${part}.part`];
      expect((await within(build, { stdin: 'a\nb\nc\n' })).status).toBe(0);
      parts.push(await within(['query', `${part}.part`, '--all-fields', '-f', '1-', '--json', 'lines']));
    }
    const answers = parts.map(
      ({ stdout }) =>
        new Map(
          stdout
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line))
            .map(({ record, match }) => [record, match]),
        ),
    );
    // If one part calls a record absent, the record is absent. If one part calls a record present, all its keys belong to that part.
    for (const found of answers) {
      expect([true, undefined]).toContain(found.get('a b c'));
      expect([false, undefined]).toContain(found.get('x'));
      expect(found.get('')).toBe(false);
    }
    expect(answers.some((found) => found.get('a b x') === false)).toBe(true);
  });
});

test('contradictions are refused', async () => {
  const refusal = async (...args: string[]) => await within(['query', 'addresses.bloom', 'log', ...args]);
  const refusals: readonly (readonly [readonly string[], string])[] = [
    [['-d', ',', '-D', ';'], '--delimiter is one text, --delimiters is a set of characters; leave out one of them'],
    [
      ['--tokens', 'words', '-f', '2'],
      '--field has no effect: --tokens splits records into words, not fields; leave it out',
    ],
    [
      ['--tokens', 'words', '-D', ','],
      '--delimiters has no effect: --tokens splits records into words, not fields; leave it out',
    ],
    [['--csv'], '--csv separates fields, but no field is selected; add -f NUMBER, or -f 1- for every field'],
    [['--csv', '-f', '1', '-d', '::'], 'the delimiter of --csv is one ASCII character, not "::"; such as -d ";"'],
    [
      ['--csv', '-f', '1', '-0'],
      'records of --csv end with newlines, records of --null with NUL; leave out one of them',
    ],
    [
      ['--csv', '-f', '1', '-D', ';'],
      '--csv accepts one character, --delimiters is a set of characters; leave out one of them',
    ],
    [['--all-fields', '-f', '2'], '--all-fields has no effect: a record has at most one key; leave it out'],
    [['-D', 'é'], "option '-D, --delimiters <set>' argument 'é' is invalid: expected some ASCII characters, such as"],
    [['-f', '3-2'], "option '-f, --field <list>' argument '3-2' is invalid: expected fields such as 2 or 1,3-5,-1"],
    [
      ['--json-key', 'a', '-f', '2'],
      '--field has no effect: --json-key already selects the key of a line; leave it out',
    ],
    [['--json-key', 'a..b'], "option '--json-key <path>' argument 'a..b' is invalid: expected names with dots between"],
    [['--tokens', 'lines'], "option '--tokens <what>' argument 'lines' is invalid"],
  ];
  for (const [args, message] of refusals)
    expect(await refusal(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(message) });
});

test('records without any key are reported, also if a record may have several', async () => {
  writeFileSync(path('pairs'), 'a x\nb\n\n# y\n-- .\n');
  const built = await within([
    'build',
    '-f',
    '2,3',
    '-n',
    '10',
    '--comment',
    '#',
    'pairs',
    '-o',
    'fields.bloom',
    '--json',
  ]);
  expect(JSON.parse(built.stdout)).toMatchObject({ inserted: 2, skipped: 2 });
  expect(built.stderr).toMatch(/^fields.bloom: 2 keys .*; 2 records have no fields 2,3; /);
  const added = await within(['add', 'fields.bloom', '-D', ' ', '--json', 'pairs']);
  expect(JSON.parse(added.stdout)).toMatchObject({ added: 7, skipped: 1 });
  expect(added.stderr).toContain('; 1 record has no fields; ');
  const counted = await within(['count', '--tokens', 'words', '--json', 'pairs']);
  expect(JSON.parse(counted.stdout)).toMatchObject({ records: 5, keys: 4, skipped: 2 });
  expect(counted.stderr).toBe('2 records have no words\n');
  expect((await within(['digest', '-f', '1-', 'pairs', '-o', 'digests'])).stderr).toContain(
    '; 1 record has no fields; ',
  );
  const typed = ['build', '--format', 'spark', '--key-type', 'int64', '-f', '1,2', '-n', '10', '-o', 'typed', '--json'];
  expect(JSON.parse((await within(typed, { stdin: '1 x\nx y\nx 2\n3 4\n' })).stdout)).toMatchObject({
    estimatedItems: 4,
    skipped: 1,
  });
});
