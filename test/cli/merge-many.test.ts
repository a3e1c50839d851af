// Filters one after another in a pipe, in any number of files, and as a tree: the union is always the same.

import { existsSync, linkSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { canBeUsed, KINDS } from '../../src/filters/registry.ts';
import { inLongRuns, sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');
const HEADER_BYTES = 128;

/** Five filters of each kind that can be merged, each with a fifth of the words. */
const PARTS = [1, 2, 3, 4, 5];
const MERGED = KINDS.filter((kind) => canBeUsed(kind, 'merge')).map(({ name }) => name);

const filesOf = (kind: string) => PARTS.map((part) => `${kind}${part}`);
const all = (names: readonly string[]) => names.join(' ');
const bytesOf = (name: string) => readFileSync(path(name));

beforeAll(async () => {
  for (const kind of new Set(['bloom', 'quotient', ...sampled(MERGED)])) {
    const size = KINDS.find(({ name }) => name === kind)?.growing === undefined ? ['-n', '6000'] : ['-m', '8k'];
    for (const part of PARTS)
      expect(
        await within(['build', '--kind', kind, ...size, '--slice', `${part}/5`, WORDS, '-o', `${kind}${part}`]),
      ).toMatchObject({ status: 0 });
    await within(['merge', ...filesOf(kind), '-o', `${kind}.whole`]);
  }
});

describe.each(sampled(MERGED))('%s filters', (kind) => {
  const whole = () => bytesOf(`${kind}.whole`);

  test('that follow each other in a pipe are merged as files are', async () => {
    const [first = '', ...others] = filesOf(kind);
    const stdin = Buffer.concat([first, ...others].map(bytesOf));
    const { stderr, status } = await within(['merge', '-', '-o', `${kind}.piped`], { stdin, isPiped: true });
    expect(stderr).toMatch(/holds 5 filters, 5,130 keys/);
    expect(status).toBe(0);
    expect(bytesOf(`${kind}.piped`).equals(whole())).toBe(true);
    await within(['merge', first, '-', '-o', `${kind}.both`], { stdin: Buffer.concat(others.map(bytesOf)) });
    if (kind !== 'cuckoo') expect(bytesOf(`${kind}.both`).equals(whole())).toBe(true);
    expect((await within(['query', '-vc', `${kind}.both`, WORDS])).stdout).toBe('0\n');
  });

  test('make the same file, merged at once or as a tree', async () => {
    const [one, two, three, four, five] = filesOf(kind);
    await within(['merge', '--partial', `${one}`, `${two}`, '-o', `${kind}.a`]);
    await within(['merge', '--partial', `${three}`, `${four}`, '-o', `${kind}.b`]);
    shell(`$BLOOM merge --partial <($BLOOM merge ${kind}.a ${kind}.b -o -) ${five} -o ${kind}.tree`);
    // The slot of a fingerprint depends on the earlier fingerprints.
    if (kind !== 'cuckoo') expect(bytesOf(`${kind}.tree`).equals(whole())).toBe(true);
    expect((await within(['query', '-vc', `${kind}.tree`, WORDS])).stdout).toBe('0\n');
  });
});

describe('the names of filters in a list', () => {
  test.each([
    [
      'ends of lines',
      `printf '%s\\n' bloom2 bloom3 > list; $BLOOM merge bloom1 --files-from list bloom4 bloom5 -o listed`,
    ],
    ['NULs', `printf '%s\\0' ${all(filesOf('bloom'))} | $BLOOM merge --files0-from - -o listed --force`],
  ])('with %s', (_, line) => {
    expect(shell(line).status).toBe(0);
    expect(bytesOf('listed').equals(bytesOf('bloom.whole'))).toBe(true);
  });

  const mistakes = [
    ['$BLOOM merge -o x', "no filter is named; name some, or '-' for standard input"],
    ['echo bloom1 | $BLOOM merge - --files-from - -o x', 'standard input can be read only once'],
    ['$BLOOM merge - - -o x < bloom1', 'standard input can be read only once'],
    [`printf 'bloom1\\n\\xff\\n' | $BLOOM merge --files-from - -o x`, 'is not UTF-8'],
    [`printf 'bloom1\\nmissing\\n' | $BLOOM merge --files-from - -o x`, 'cannot read missing: no such file'],
    [`printf 'bloom1\\nbloom2\\n' | $BLOOM merge --files-from - -o bloom2 --force`, 'both an input and the output'],
  ] as const;
  test.each(sampled(mistakes))('is refused: %s', (line, message) => {
    const { stderr, status } = shell(line);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});

describe('the wrong filter among those in a pipe is named', () => {
  const SECOND = /^bloom: filter 2 of standard input \(at byte (\d+)\) /;
  const merged = async (...pieces: Buffer[]) => {
    const stdin = Buffer.concat(pieces);
    const { stderr, status } = await within(['merge', '-', '-o', 'wrong'], { stdin, isPiped: true });
    expect(status).toBe(2);
    expect(existsSync(path('wrong'))).toBe(false);
    return stderr;
  };
  const flipped = (bytes: Buffer, at: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };

  test.each(inLongRuns(['bloom', 'quotient'], ['quotient']))(
    'if it ends too early or differs, at any position: %s',
    async (kind) => {
      const [one, two, three] = filesOf(kind).map(bytesOf);
      if (one === undefined || two === undefined || three === undefined) throw new Error('there are five');
      // Positions within its signature, its header, its segment and its table, and at their ends.
      const inside = [1, 100, HEADER_BYTES + 1, two.length - 25, two.length - 1];
      for (const end of inLongRuns([...inside, 7, 8, HEADER_BYTES, two.length - 24], inside)) {
        const stderr = await merged(one, two.subarray(0, end));
        expect(Number(SECOND.exec(stderr)?.[1])).toBe(one.length);
        expect(stderr).toMatch(/\(at byte \d+\) is damaged: it ends within (its header|segment 1 of 1|its table)/);
      }
      for (const at of inLongRuns([20, 130, two.length - 1], [130])) {
        const stderr = await merged(one, flipped(two, at), three);
        expect(stderr).toMatch(SECOND);
        expect(stderr).toContain('damaged');
      }
    },
  );

  test('also the first, and bytes that are not a filter', async () => {
    const [one = Buffer.of(), two = Buffer.of()] = filesOf('bloom').map(bytesOf);
    expect(await merged(flipped(one, 200), two)).toMatch(/^bloom: filter 1 of standard input \(at byte 0\) is damaged/);
    expect(await merged(one, two, Buffer.from('more'))).toContain(
      `filter 3 of standard input (at byte ${one.length + two.length}) is not a filter of bloom`,
    );
    expect(await merged()).toMatch(/^bloom: standard input is empty, not a filter/);
    expect(await merged(one.subarray(0, 5))).toContain('standard input is damaged: it ends within its header');
  });

  test('a filter that does not fit', async () => {
    await within(['build', '-n', '6000', '--seed', '7', WORDS, '-o', 'other']);
    const [one = Buffer.of(), two = Buffer.of()] = filesOf('bloom').map(bytesOf);
    expect(await merged(one, bytesOf('other'), two, bytesOf('other'))).toMatch(
      /^bloom: the filters do not fit together: seed is 7 in filter 2 of standard input \(at byte \d+\), 0 in filter 1 of .*; seed is 7 in filter 4 of /,
    );
  });
});

test('more filters than a process may open are merged, of every kind', async () => {
  shell('mkdir many others; cp bloom2 many/last; cp quotient2 others/last');
  const count = inLongRuns(1100, 200);
  for (let i = 1; i <= count; i++) linkSync(path('bloom1'), path(`many/${i}`));
  for (let i = 1; i <= 60; i++) linkSync(path('quotient1'), path(`others/${i}`));
  const { stderr, status } = shell(
    'ulimit -n 64; find many -type f | $BLOOM merge --partial --files-from - -o many.bloom',
  );
  expect(stderr).toContain(`holds ${(count + 1).toLocaleString('en')} filters`);
  expect(status).toBe(0);
  await within(['merge', '--partial', 'bloom1', 'bloom2', '-o', 'two.bloom']);
  expect(
    bytesOf('many.bloom').subarray(HEADER_BYTES, -24).equals(bytesOf('two.bloom').subarray(HEADER_BYTES, -24)),
  ).toBe(true);
  expect(
    shell('ulimit -n 64; find others -type f | $BLOOM merge --partial --files-from - -o others.bloom').status,
  ).toBe(0);
  for (const slice of ['1/5', '2/5'])
    expect((await within(['query', '-vc', 'others.bloom', '--slice', slice, WORDS])).stdout).toBe('0\n');
});
