// Files of other systems that bloom build, add and merge made, also with keys of other types than text, read by these systems.

import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect } from 'vitest';
import { scratch } from '../cli/run.ts';
import { can, openingFor } from '../formats/making.ts';
import { IS_LONG } from '../long.ts';
import { answersOf } from './asking.ts';
import { type DriverName, isBuilt } from './drivers.ts';
import { testedBy } from './notice.ts';
import { REAL_SYSTEMS } from './real-systems.ts';

const { path, bloom } = scratch();

/** Sorts of filters with keys of other types than text, and these types. */
const TYPED: readonly (readonly [string, string])[] = [
  ['guava', 'utf16'],
  ['guava', 'int32'],
  ['guava', 'int64'],
  ['spark-1', 'int64'],
  ['spark-2', 'int64'],
  ['datasketches', 'int64'],
];

/** A sort, the type of its keys, and the work on it. */
type Case = readonly [sort: string, type: string, work: 'built' | 'extended' | 'merged'];

const CASES: readonly Case[] = [
  ...Object.keys(REAL_SYSTEMS).flatMap((sort): Case[] => [
    [sort, 'text', 'built'],
    ...(can(sort, 'change') ? [[sort, 'text', 'extended'] as const] : []),
    ...(can(sort, 'merge') ? [[sort, 'text', 'merged'] as const] : []),
  ]),
  ...TYPED.map(([sort, type]): Case => [sort, type, 'built']),
];

const KEYS = 300;

/** The key of number `i`: a number, of which every third is negative, or a text. */
function keyOf(type: string, i: number): string {
  if (type.startsWith('int')) return String((i % 3 === 0 ? -1 : 1) * (type === 'int64' ? i * 1e13 : i * 65_537));
  return type === 'utf16' ? `${i} 𝄞 é` : `key ${i}`;
}

const fileOfCase = (one: Case) => one.join(' ');

/** Runs the command with some arguments, and expects success. */
function run(...args: readonly string[]): string {
  const { status, stdout, stderr } = bloom(args);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Makes the file of a case from keys in two files. Returns the command's answers for all keys. */
function made(one: Case): string {
  const [sort, type, work] = one;
  const [first, second, asked] = ['first', 'second', 'asked'].map((part) => `${type} ${part}`) as [
    string,
    string,
    string,
  ];
  const keyType = type === 'text' ? [] : ['--key-type', type];
  const { format } = openingFor(sort);
  const opening = format === undefined ? [] : ['--format', format];
  const build = (to: string, ...files: readonly string[]) =>
    run('build', '--format', sort, ...keyType, '-n', String(KEYS), '-p', '2%', '--force', '-o', to, ...files);
  const file = fileOfCase(one);
  if (work === 'merged') {
    build('one', first);
    build('other', second);
    run('merge', ...opening, '--force', '-o', file, 'one', 'other');
  } else if (work === 'extended') {
    build(file, first);
    run('add', ...opening, file, second);
  } else build(file, first, second);
  return run('query', '--tag', ...opening, ...keyType, file, asked)
    .split('\n')
    .slice(0, -1)
    .map((line) => (line.startsWith('+') ? '1' : '0'))
    .join('');
}

beforeAll(() => {
  for (const type of new Set(CASES.map(([, type]) => type))) {
    const keys = Array.from({ length: 4 * KEYS }, (_, i) => keyOf(type, i));
    const parts = { first: keys.slice(0, 100), second: keys.slice(100, KEYS), asked: keys };
    for (const [part, some] of Object.entries(parts))
      writeFileSync(path(`${type} ${part}`), some.map((key) => `${key}\n`).join(''));
    writeFileSync(path(`${type} keys`), keys.map((key) => `${key}\0`).join(''));
  }
});

const READERS = [...new Set(Object.values(REAL_SYSTEMS).map(({ readers }) => readers[0]))].flatMap(
  (driver) => driver ?? [],
);

describe.runIf(IS_LONG).each(READERS)('%s', (driver: DriverName) => {
  const cases = CASES.filter(([sort]) => REAL_SYSTEMS[sort]?.readers[0] === driver);
  const ours = new Map<Case, string>();
  let theirs: readonly string[] = [];
  beforeAll(async () => {
    if (!isBuilt(driver)) return;
    for (const one of cases) ours.set(one, made(one));
    const requests = cases.map((one) => ['has', one[0], path(fileOfCase(one)), one[1], path(`${one[1]} keys`)]);
    theirs = await answersOf(driver, requests);
  });

  testedBy(driver).each(cases)('%s, of %s, %s', (...one) => {
    const index = cases.findIndex((other) => other.join() === one.join());
    const answers = theirs[index] ?? '';
    expect(answers.slice(0, KEYS)).toBe('1'.repeat(KEYS));
    expect(answers).toContain('0');
    expect(ours.get(cases[index] ?? one)).toBe(answers);
  });
});
