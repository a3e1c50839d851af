// --suffixes: a query finds a name by any of its parent domains, however lists and logs write it. --fold: keys in either case.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFilter } from '../../src/library/index.ts';
import { inLongRuns } from '../long.ts';
import { PYTHON } from '../python/python.ts';
import { below, createRandom } from '../reference/random.ts';
import { outcomeOf } from '../starter.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();

const MEMBERS = inLongRuns(20_000, 2000);
const HOSTS = inLongRuns(200_000, 5000);
const random = createRandom(7);
const oneOf = <T>(values: readonly T[]) => values[below(random, values.length)] as T;

const LABELS = ['a', 'www', 'Mail', 'x-1', 'not', 'cdn_2', 'é'] as const;
const TLDS = ['com', 'org', 'co.uk'] as const;
const members = Array.from({ length: MEMBERS }, (_, i) => `evil${i}.${oneOf(TLDS)}`);
/** Other spellings of a name. */
const written = [
  (name: string) => name,
  (name: string) => `${name}.`,
  (name: string) => name.toUpperCase(),
  (name: string) => `*.${name}`,
  (name: string) => `.${name}`,
  (name: string) => ` ${name}\t`,
];

function host(): string {
  const labels = Array.from({ length: below(random, 5) }, () => oneOf(LABELS));
  const name = below(random, 10) < 3 ? oneOf(members) : `good${below(random, HOSTS)}.${oneOf(TLDS)}`;
  const joined = [...labels, name].join('.');
  return below(random, 10) < 1 ? `not${joined}` : joined;
}

const hosts = Array.from({ length: HOSTS }, () => oneOf(written)(host()));

/** The oracle: the program that people write in awk. It removes a dot, blanks and case from names. */
const AWK = `
  function name(text) { gsub(/[ \\t]/, "", text); sub(/^\\*?\\./, "", text); sub(/\\.$/, "", text); return tolower(text) }
  NR == FNR { listed[name($0)]; next }
  {
    for (rest = name($0); ; rest = substr(rest, dot + 1)) {
      if (rest in listed) { print; break }
      dot = index(rest, ".")
      if (dot == 0) break
    }
  }`;

let expected = '';

beforeAll(async () => {
  writeFileSync(path('list'), members.map((name) => `${oneOf(written)(name)}\n`).join(''));
  writeFileSync(path('plain'), members.map((name) => `${name}\n`).join(''));
  writeFileSync(path('hosts'), hosts.map((name) => `${name}\n`).join(''));
  expected = outcomeOf('awk', [AWK, path('list'), path('hosts')], {
    input: '',
    env: { ...process.env, LC_ALL: 'C' },
  }).stdout;
  await built(['-p', '1e-12', '--suffixes', 'list'], 'names.bloom');
  await built(['-p', '1e-12', 'plain'], 'plain.bloom');
});

async function built(args: readonly string[], name: string) {
  const outcome = await within(['build', ...args, '-o', name, '--force']);
  expect(outcome).toMatchObject({ status: 0 });
  return outcome;
}

async function printed(args: readonly string[], options = {}) {
  const { stdout, status } = await within(['query', ...args], options);
  expect(status).toBeLessThan(2);
  return stdout;
}

describe('names are found by their parent domains', () => {
  test('as awk finds them', async () => {
    expect(expected.split('\n').length).toBeGreaterThan(0.2 * HOSTS);
    expect(expected.split('\n').length).toBeLessThan(0.5 * HOSTS);
    expect(await printed(['names.bloom', 'hosts'])).toBe(expected);
    expect(await printed(['names.bloom', '-c', 'hosts'])).toBe(`${expected.split('\n').length - 1}\n`);
  });

  test('in a filter that does not record them', async () => {
    expect(await printed(['--suffixes', 'plain.bloom', 'hosts'])).toBe(expected);
  });

  test.each(inLongRuns([2, 3, 4, 8, 16], [3]))('by %i threads', async (threads) => {
    const flags = ['--threads', `${threads}`, 'names.bloom', 'hosts'];
    await printed([...flags, '--output', 'found', '--force'], { chunk: 20_000 });
    expect(readFileSync(path('found'), 'utf8')).toBe(expected);
  });

  test('in a pipe, in a filter that does not fit in the memory, and among several filters', async () => {
    const stdin = readFileSync(path('hosts'));
    expect(await printed(['names.bloom'], { stdin, isPiped: true })).toBe(expected);
    await built(['-n', '2M', '-p', '1e-6', '--suffixes', 'list'], 'large.bloom');
    expect(await printed(['--memory', '3MB', 'large.bloom', 'hosts'])).toBe(expected);
    const which = await printed(['names.bloom', '-F', 'large.bloom', '--which', 'hosts']);
    expect(which.replaceAll('names.bloom,large.bloom\t', '')).toBe(expected);
  });

  test('in words, fields and JSON', async () => {
    const names = hosts.slice(0, 2000).map((name) => name.trim());
    const found = new Set(expected.split('\n').map((name) => name.trim()));
    const cases: [string[], (name: string) => string][] = [
      [['--tokens', 'words'], (name) => `query[A] "${name}" from 10.0.0.1`],
      [['-f', '2'], (name) => `1 ${name} x`],
      [['--json-key', 'dns.name'], (name) => JSON.stringify({ dns: { name } })],
    ];
    for (const [flags, line] of cases) {
      writeFileSync(path('lines'), names.map((name) => `${line(name)}\n`).join(''));
      const stdout = await printed([...flags, 'names.bloom', 'lines']);
      expect(stdout).toBe(
        names
          .filter((name) => found.has(name))
          .map((name) => `${line(name)}\n`)
          .join(''),
      );
    }
  });
});

test('each parent domain of a name is looked up once, wherever its dots are', async () => {
  const names = Array.from({ length: 70 }, (_, i) => `${'a'.repeat(i)}.${members[0]}`.replace(/^\./, ''));
  const stdin = names.map((name) => `${name}\n`).join('');
  expect(await printed(['-o', 'names.bloom'], { stdin })).toBe(`${members[0]}\n`.repeat(70));
  const { stderr } = await within(['query', '--summary', '-c', 'names.bloom'], { stdin });
  expect(stderr).toContain('70 records');
});

test('names of a hundred labels are found, although their parent domains have many more bytes than they', async () => {
  const names = Array.from(
    { length: 500 },
    (_, i) => `${'A.'.repeat(100)}${i % 2 === 0 ? members[i] : `good${i}.org`}`,
  );
  const stdin = names.map((name) => `${name}\n`).join('');
  const found = names.filter((_, i) => i % 2 === 0).map((name) => `${name}\n`);
  expect(await printed(['names.bloom'], { stdin })).toBe(found.join(''));
});

test('a name is not found by a part of a label, nor by a domain above those of the list', async () => {
  await built(['--suffixes', '-e', '*.evil.com', '-e', 'co.uk'], 'two.bloom');
  const stdin = 'a.b.evil.com\nevil.com.\nEVIL.com\nnotevil.com\ncom\nevil.com.org\n.\n\nx.co.uk\nuk\na..evil.com\n';
  expect(await printed(['two.bloom'], { stdin })).toBe('a.b.evil.com\nevil.com.\nEVIL.com\nx.co.uk\na..evil.com\n');
  expect(await printed(['-o', 'two.bloom'], { stdin })).toBe('evil.com\nevil.com\nEVIL.com\nco.uk\nevil.com\n');
  const { stderr } = await within(['query', '--summary', '-c', 'two.bloom'], { stdin });
  expect(stderr).toContain('2 records are no domain');
  expect(stderr).toContain('keys per record');
});

test('members that are not names are found as they are written', async () => {
  const odd = [
    'a..',
    '..',
    '*.*.x',
    ' .b',
    '*',
    '*.',
    'x'.repeat(300),
    `${'y.'.repeat(400)}z`,
    'Üß.Example',
    '. .c. .',
  ];
  writeFileSync(path('odd'), odd.map((name) => `${name}\n`).join(''));
  await built(['--suffixes', '-p', '1e-9', 'odd'], 'odd.bloom');
  const withNames = odd.filter((name) => /[^. ]/.test(name));
  expect(await printed(['odd.bloom', 'odd'])).toBe(withNames.map((name) => `${name}\n`).join(''));
  await built(['-p', '1e-9', 'odd'], 'odd-text.bloom');
  expect(await printed(['--suffixes', 'odd-text.bloom', 'odd'])).toBe(readFileSync(path('odd'), 'utf8'));
});

test.skipIf(!PYTHON)('the reader in Python gives the same answers', async () => {
  writeFileSync(
    path('some'),
    `${['a..', '*.*.x', ...hosts.slice(0, 200), `${'y.'.repeat(400)}evil1.com`, '.'].join('\n')}\n`,
  );
  await built(['--suffixes', '-p', '20%', 'list'], 'read.bloom');
  const reader = new URL('../python/reader.py', import.meta.url).pathname;
  const answers = outcomeOf(PYTHON ?? '', [reader, path('read.bloom')], { input: readFileSync(path('some')) }).stdout;
  const tags = (await printed(['--tag', 'read.bloom', 'some'])).replace(/^([+-]).*$/gm, '$1');
  expect(tags).toBe(answers.replaceAll('1', '+').replaceAll('0', '-'));
});

test('protected names are protected from all of their parent domains', async () => {
  writeFileSync(path('never'), 'www.good.com\ngood.org\n');
  const flags = ['--kind', 'ribbon', '--suffixes', '--never', 'never', '-e', 'evil.com'];
  await built(flags, 'safe.bloom');
  expect(await printed(['safe.bloom', '-e', 'www.good.com', '-e', 'a.evil.com'])).toBe('a.evil.com\n');
  const { stderr, status } = await within(['build', ...flags, '-e', 'com', '-o', 'unsafe.bloom']);
  expect({ stderr, status }).toMatchObject({ stderr: expect.stringContaining('to be added and protected'), status: 2 });
});

test('filters record that their keys are names', async () => {
  const { stdout } = await within(['stats', '--json', '--probes', '1000', '--present', 'list', 'names.bloom']);
  expect(JSON.parse(stdout)).toMatchObject({ keyType: 'domain', present: { records: MEMBERS, missing: 0 } });
  expect(await built(['--like', 'names.bloom', 'list'], 'like.bloom')).toMatchObject({ status: 0 });
  expect(readFileSync(path('like.bloom')).equals(readFileSync(path('names.bloom')))).toBe(true);
  await within(['add', 'like.bloom', '-e', '*.Added.net.']);
  expect(await printed(['like.bloom', '-e', 'x.added.net'])).toBe('x.added.net\n');
  await built(['--like', 'plain.bloom', '-e', 'x'], 'text.bloom');
  const merged = await within(['merge', 'names.bloom', 'text.bloom', '-o', 'merged.bloom']);
  expect(merged).toMatchObject({ stderr: expect.stringContaining('domain names is no in text.bloom'), status: 2 });
  const mixed = await within(['query', 'names.bloom', '-F', 'text.bloom', '-e', 'x']);
  for (const flags of [[], ['--which']]) {
    const all = await within(['query', ...flags, '--all-fields', '-f', '1,2', 'names.bloom'], { stdin: 'a b\n' });
    expect(all).toMatchObject({ stderr: expect.stringContaining('--all-fields needs all keys'), status: 2 });
  }
  expect(mixed).toMatchObject({ stderr: expect.stringContaining('add --suffixes'), status: 2 });
});

test('the library looks up parent domains too', async () => {
  const filter = await openFilter(path('names.bloom'));
  const [name = ''] = members;
  const keys = [`a.b.${name}`, Buffer.from(`X.${name.toUpperCase()}.`), `not${name}`, 'com', ''];
  expect(filter.hasMany(keys)).toEqual([true, true, false, false, false]);
  expect(keys.map((key) => filter.has(key))).toEqual([true, true, false, false, false]);
  filter.close();
});

test('--fold finds digests in either case', async () => {
  const [lower, upper, other] = ['d41d8cd98f00b204', 'ABCDEF0123456789', '00112233445566aa'];
  await built(['-p', '1e-9', '-e', lower, '-e', upper], 'digests.bloom');
  const asked = [lower.toUpperCase(), lower, upper.toLowerCase(), 'aBCDEF0123456789', other, ''];
  const stdin = asked.map((key) => `${key}\n`).join('');
  expect(await printed(['digests.bloom'], { stdin })).toBe(`${lower}\n`);
  const found = asked
    .slice(0, 4)
    .map((key) => `${key}\n`)
    .join('');
  expect(await printed(['--fold', 'digests.bloom'], { stdin })).toBe(found);
  expect(await printed(['--fold', '-o', 'digests.bloom'], { stdin })).toBe(found);
  expect(await printed(['--fold', '-o', '--tokens', 'words', 'digests.bloom'], { stdin })).toBe(found);
});

test('--suffixes looks up the names of records as they are and in lower case, and not in upper case', async () => {
  await built(['-p', '1e-9', '-e', 'LOUD.EXAMPLE', '-e', 'low.example', '-e', 'Mixed.example'], 'cases.bloom');
  const stdin = [
    'LOUD.EXAMPLE',
    'loud.example',
    'LOW.EXAMPLE',
    'a.LOUD.EXAMPLE',
    'a.Low.example',
    'mixed.example',
    'Mixed.example',
    '',
  ]
    .map((key) => `${key}\n`)
    .join('');
  expect(await printed(['--suffixes', 'cases.bloom'], { stdin })).toBe(
    'LOUD.EXAMPLE\nLOW.EXAMPLE\na.LOUD.EXAMPLE\na.Low.example\nMixed.example\n',
  );
});
