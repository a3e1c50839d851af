import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { contentOfFile } from '../reference/bloom-file.ts';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell } = scratch();
const contentIn = (file: string) => contentOfFile(readFileSync(path(file)));
const WORDS = fixture('words.txt');

/** What the literature promises for a rate of 1 %, rounded up. */
const BITS_PER_KEY: Readonly<Record<string, number>> = { bloom: 9.8, blocked: 11, counting: 40, cuckoo: 11.5 };

describe.each(KINDS.map(({ name }) => name))('a %s filter', (kind) => {
  const file = `${kind}.bloom`;

  test('is built, asked, grown and reported on as any other', () => {
    expect(bloom(['build', '--kind', kind, WORDS, '-o', file]).status).toBe(0);
    expect(bloom(['query', '-c', file, WORDS]).stdout).toBe('5130\n');
    const {
      kind: name,
      measuredFpr,
      predictedFpr,
      present,
      healthy,
    } = JSON.parse(bloom(['stats', '--json', file, '--present', WORDS]).stdout);
    expect(name).toBe(kind);
    expect(present).toEqual({ records: 5130, missing: 0 });
    expect(healthy).toBe(true);
    expect(Math.abs(predictedFpr / measuredFpr.rate - 1)).toBeLessThan(0.1);
    expect(measuredFpr.rate).toBeLessThan(0.0115);
    expect(bloom(['add', file], { stdin: 'added\n' }).status).toBe(0);
    expect(bloom(['query', file, '-e', 'added']).stdout).toBe('added\n');
  });

  test('takes no more bits a key at 1 % than it should', () => {
    const { bits } = JSON.parse(bloom(['size', '--kind', kind, '-n', '10M', '-p', '1%', '--json']).stdout);
    expect(bits / 1e7).toBeLessThan(BITS_PER_KEY[kind] ?? 0);
    const { bytes } = JSON.parse(
      bloom(['build', '--kind', kind, '-n', '1M', '-o', file, '--force', '--json'], { stdin: 'a\n' }).stdout,
    );
    expect((8 * bytes) / 1e6).toBeLessThan(BITS_PER_KEY[kind] ?? 0);
  });

  test('is merged with its like, and with no other', () => {
    shell(`head -n 3000 ${WORDS} > head; tail -n +2001 ${WORDS} > tail`);
    for (const part of ['head', 'tail']) {
      bloom(['build', '--kind', kind, '-n', '6k', part, '-o', `${part}-${file}`, '--force']);
    }
    bloom(['build', '--kind', kind, '-n', '6k', 'head', 'tail', '-o', `both-${file}`, '--force']);
    expect(bloom(['merge', `head-${file}`, `tail-${file}`, '-o', `merged-${file}`]).status).toBe(0);
    expect(contentIn(`merged-${file}`)).toEqual(contentIn(`both-${file}`));

    const other = KINDS.find(({ name }) => name !== kind)?.name ?? '';
    bloom(['build', '--kind', other, '-n', '6k', 'head', '-o', 'other.bloom', '--force']);
    const { stderr, status } = bloom(['merge', `head-${file}`, 'other.bloom', '-o', 'no.bloom']);
    expect(status).toBe(2);
    expect(stderr).toContain(`kind is ${other} in other.bloom, ${kind} in head-${file}`);
  });

  test('does not depend on the order of its keys', () => {
    shell(`sort -R ${WORDS} > mixed`);
    bloom(['build', '--kind', kind, '-n', '6k', WORDS, '-o', `one-${file}`]);
    bloom(['build', '--kind', kind, '-n', '6k', 'mixed', '-o', `two-${file}`]);
    expect(contentIn(`one-${file}`)).toEqual(contentIn(`two-${file}`));
  });
});

test('size compares all kinds', () => {
  const { stdout } = bloom(['size', '-n', '1M', '-p', '1%', '--kind', 'all']);
  const names = stdout.split('\n').map((line) => line.split(' ')[0]);
  for (const { name } of KINDS) expect(names).toContain(name);
});

test('the hashes of a blocked filter are fixed', () => {
  const { stderr, status } = bloom(['size', '--kind', 'blocked', '-n', '1M', '-k', '7']);
  expect(status).toBe(2);
  expect(stderr).toContain('this kind of filter has 8 hashes, not 7');
});
