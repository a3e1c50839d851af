// The note of a filter: build writes it, commands that make filters from others keep it, stats shows it.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { PYTHON } from '../python/python.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');
const READER = fileURLToPath(new URL('../python/reader.py', import.meta.url));

/** The reports of `stats`. */
const reports = async (...files: string[]) =>
  (await within(['stats', '--probes', '0', '--json', ...files])).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const reported = async (file: string) => (await reports(file))[0];
const of = (note: string | null, made: string | null = null) => ({ note, made });

const build = async (name: string, ...flags: string[]) =>
  await within(['build', '-n', '10k', WORDS, ...flags, '-o', name, '--force']);

beforeAll(async () => {
  await build('plain.bloom');
  await build('noted.bloom', '--note', 'words of Debian');
  await within(['build', '-n', '10k', WORDS, '--stamp', '-o', 'stamped.bloom'], {
    env: { SOURCE_DATE_EPOCH: '1000000000' },
  });
});

test('a filter states its note, and the time of its build', async () => {
  expect(await reports('plain.bloom', 'noted.bloom', 'stamped.bloom')).toMatchObject([
    of(null),
    of('words of Debian'),
    of('', '2001-09-09T01:46:40Z'),
  ]);
  const { stdout } = await within(['stats', '--probes', '0', 'noted.bloom', 'stamped.bloom']);
  expect(stdout).toContain('\n  note            words of Debian\n');
  expect(stdout).toMatch(/\n {2}made {12}2001-09-09T01:46:40Z\n/);
});

test('a note changes no answer, and the bytes are the same each time without a time stamp', async () => {
  const [plain, noted] = [readFileSync(path('plain.bloom')), readFileSync(path('noted.bloom'))];
  expect(noted.length).toBe(plain.length + 1024);
  const payload = plain.readUInt32LE(44) / 8;
  expect(noted.subarray(1152, 1152 + payload).equals(plain.subarray(128, 128 + payload))).toBe(true);
  await build('again.bloom', '--note', 'words of Debian');
  expect(readFileSync(path('again.bloom')).equals(noted)).toBe(true);
  const before = Math.floor(Date.now() / 1000);
  await build('now.bloom', '--stamp');
  const made = Date.parse((await reported('now.bloom')).made) / 1000;
  expect(made).toBeGreaterThanOrEqual(before);
  expect(made).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
});

test.skipIf(!PYTHON)('a reader that follows FORMAT.md reads it', () => {
  const { stdout } = shell(`'${PYTHON}' ${READER} noted.bloom < ${WORDS} | sort | uniq -c`);
  expect(stdout).toMatch(/^ *5130 1\n$/);
});

test('no control character reaches a terminal', async () => {
  await build('control.bloom', '--note', 'red \u001b[31m and\ntwo lines');
  expect((await within(['stats', '--probes', '0', 'control.bloom'])).stdout).toContain(
    '"red \\u001b[31m and\\ntwo lines"',
  );
  expect((await reported('control.bloom')).note).toBe('red \u001b[31m and\ntwo lines');
});

describe('it is kept', () => {
  test('by add and remove', async () => {
    await build('changed.bloom', '--kind', 'counting', '--note', 'mine');
    for (const command of ['add', 'remove'])
      expect((await within([command, 'changed.bloom'], { stdin: 'more\n' })).status).toBe(0);
    expect(await reported('changed.bloom')).toMatchObject(of('mine'));
  });

  test('by merge, each text once, with the last time', async () => {
    await build('other.bloom', '--note', 'other');
    await within(['build', '-n', '10k', WORDS, '--note', 'other', '--stamp', '-o', 'both.bloom'], {
      env: { SOURCE_DATE_EPOCH: '1000000001' },
    });
    const files = ['noted.bloom', 'other.bloom', 'stamped.bloom', 'both.bloom', 'plain.bloom'];
    const expected = of('words of Debian; other', '2001-09-09T01:46:41Z');
    await within(['merge', ...files, '-o', 'union.bloom']);
    const stdin = Buffer.concat(files.map((file) => readFileSync(path(file))));
    await within(['merge', '-', 'union.bloom', '-o', 'piped.bloom'], { stdin, isPiped: true });
    expect(await reports('union.bloom', 'piped.bloom')).toMatchObject([expected, expected]);
  });

  test('by merge as far as the texts fit', async () => {
    const texts = ['a', 'b'].map((letter) => letter.repeat(600));
    for (const [i, text] of texts.entries()) await build(`long${i}.bloom`, '--note', text);
    await within(['merge', 'long0.bloom', 'noted.bloom', 'long1.bloom', '-o', 'long.bloom']);
    expect((await reported('long.bloom')).note).toBe(`${texts[0]}; words of Debian; ...`);
  });

  test('by the parts of a filter', async () => {
    const made = (...args: string[]) => within(['build', '-n', '1M', '--note', 'parts', WORDS, ...args]);
    for (const part of [1, 2]) await made('--part', `${part}/2`, '-o', `p${part}`);
    await within(['merge', 'p2', 'p1', '-o', 'joined.bloom']);
    await made('-o', 'whole.bloom');
    await made('--passes', '2', '-o', 'passes.bloom');
    const whole = readFileSync(path('whole.bloom'));
    expect(readFileSync(path('joined.bloom')).equals(whole)).toBe(true);
    expect(readFileSync(path('passes.bloom')).equals(whole)).toBe(true);
  });
});

test.each(['0', '-5', '1.5', 'abc', '8640000000001'])('SOURCE_DATE_EPOCH=%s is not a valid time', async (epoch) => {
  const { stderr, status } = await within(['build', '--stamp', WORDS, '-o', 'never.bloom'], {
    env: { SOURCE_DATE_EPOCH: epoch },
  });
  expect(stderr).toBe(
    `bloom: SOURCE_DATE_EPOCH is ${epoch}, which is not a time that a filter can store: expected seconds since 1970, from 1 to 8,640,000,000,000; set it to such a time, or unset it\n`,
  );
  expect(status).toBe(2);
});

test('a note that is too long, or has no place in the format, is refused', async () => {
  expect(await build('never.bloom', '--note', 'x'.repeat(1001))).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/expected from 1 to 1000 bytes, not 1001/),
  });
  expect((await build('never.bloom', '--note', '')).stderr).toMatch(/expected from 1 to 1000 bytes, not 0/);
  expect(await build('never.bloom', '--format', 'guava', '--note', 'x')).toMatchObject({
    status: 2,
    stderr: 'bloom: --note, or --stamp, works only for the format bloomery; leave out --format\n',
  });
});
