// Inputs that are empty, binary or typed: the command reports this.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLines } from '../../src/terminal/messages.ts';
import { sampled } from '../long.ts';
import { PYTHON } from '../python/python.ts';
import { BLOOM, scratch } from './run.ts';

const { path, shell, within } = scratch();

beforeAll(async () => {
  writeFileSync(path('list'), 'red\nblue red\n');
  await within(['build', 'list', '-o', 'list.bloom']);
  await within(['build', '-n', '1k', 'list', '-o', 'roomy.bloom']);
});

describe('files that are not text', () => {
  test.each([
    ['a tar archive', 'tar cf odd list'],
    ['a zip archive', `printf 'PK\\3\\4\\24\\0' > odd; cat list >> odd`],
    ['a PDF document', `echo '%PDF-1.7' > odd`],
    ['a program (ELF)', `head -c 5000 '${process.execPath}' > odd`],
    // Output of AES looks random.
    ['a binary file', 'head -c 2000 /dev/zero | openssl enc -aes-128-ctr -nosalt -K 00 -iv 00 2> /dev/null > odd'],
    ['a tar archive', 'tar czf odd list'],
  ])('%s is refused, and --raw reads it', async (what, command) => {
    shell(command);
    const { stderr, status } = await within(['count', 'odd']);
    expect(status).toBe(2);
    expect(stderr).toContain(
      `cannot read odd: it is ${what}, not text; extract its text first, or add --raw to read its bytes as records\n`,
    );
    expect((await within(['count', '--raw', 'odd'])).status).toBe(0);
  });

  test.each([
    ['text of another encoding', Buffer.from('caf\xe9\n'.repeat(200), 'latin1')],
    ['text with escape sequences', '\u001b[1mred\u001b[0m\n'.repeat(100)],
    ['NULs that end records', 'red\0blue\0'.repeat(100)],
    ['a few bytes', Buffer.from([1, 0, 2, 10])],
  ])('%s is read', async (_, stdin) => {
    expect((await within(['count'], { stdin })).stderr).toBe('');
  });
});

describe('an input without keys', () => {
  test('never replaces a filter with keys', async () => {
    const before = readFileSync(path('list.bloom'));
    const input = path('nothing');
    writeFileSync(input, '');
    for (const flags of [[], ['-n', '10'], ['-n', '10M', '--passes', '2'], ['--kind', 'fuse']]) {
      const { stderr, status } = await within(['build', '-o', 'list.bloom', '--force', input, ...flags]);
      expect({ stderr, status }).toEqual({
        stderr:
          'bloom: list.bloom was left as it was: the input has no keys, and this filter has 2 keys; check the input; to make an empty filter, remove the file first\n',
        status: 2,
      });
    }
    expect(readFileSync(path('list.bloom')).equals(before)).toBe(true);
  });

  test('replaces an empty filter, and a file that is not a filter', async () => {
    for (const name of ['none.bloom', 'text']) {
      writeFileSync(path('text'), 'x\n');
      await within(['build', '-n', '10', '-o', 'none.bloom', '/dev/null']);
      expect((await within(['build', '-n', '10', '-o', name, '--force', '/dev/null'])).status).toBe(0);
    }
  });

  test.each([
    ['build -q -f 9 list -o wrong.bloom', 0],
    ['add -q -f 9 roomy.bloom list', 0],
    ['count -q -f 9 list', 0],
    ['digest -q -f 9 list -o wrong.digests', 0],
    ['query list.bloom -f 9 list', 1],
    ['query list.bloom -f 9 -c list', 1],
    ['dedup -f 9 list', 0],
  ])('is warned of if a flag is the reason, also with -q: %s', async (line, status) => {
    const { stderr, status: ended } = await within(line.split(' '));
    expect(ended).toBe(status);
    expect(stderr).toMatch(
      /^bloom: warning: 2 records have no field 9, so there are no keys(: none can be in the set|; .*)?\n$/,
    );
    expect((await within(line.replace('-f 9', '-f 1').replace('wrong', 'right').split(' '))).stderr).not.toContain(
      'warning',
    );
  });

  test('of JSON', async () => {
    writeFileSync(path('json'), '{"a":1}\n{"a":2}\n');
    const { stderr } = await within(['build', '-q', '--json-key', 'b', 'json', '-o', 'json.bloom']);
    expect(stderr).toBe('bloom: warning: 2 records have no value of b, so there are no keys\n');
  });
});

describe('query -o -c counts keys', () => {
  test.each([
    [['-c'], '2\n'],
    [['-c', '-o'], '3\n'],
    [['-c', '-o', '-H'], 'list:3\n'],
  ])('%j', async (flags, expected) => {
    await within(['build', '-f', '1-', 'list', '-o', 'tokens.bloom', '--force']);
    expect((await within(['query', 'tokens.bloom', '-f', '1-', 'list', ...flags])).stdout).toBe(expected);
  });

  test('as many as -o prints', async () => {
    const flags = ['query', 'tokens.bloom', '-o', '-f', '1-'];
    const stdin = 'red none blue\nnone\nred\n';
    const printed = (await within(flags, { stdin })).stdout.trim().split('\n').length;
    expect(printed).toBe(3);
    expect((await within([...flags, '-c'], { stdin })).stdout).toBe(`${printed}\n`);
  });

  test.each([
    [['--summary'], '--summary has no effect: --only-matching and --count together count the keys that matched'],
    [['-v'], '--invert has no effect: --only-matching and --count together count the keys that matched'],
    [['-F', 'list.bloom'], '--only-matching and --count together count the keys of one filter, not of several'],
  ])('not with %j', async (flags, message) => {
    expect((await within(['query', 'tokens.bloom', '-o', '-c', 'list', ...flags])).stderr).toContain(message);
  });
});

test('size makes a row for each -n and each -p', async () => {
  const { stdout } = await within(['size', '-n', '1M', '-n', '10M', '-p', '1%', '-p', '0.1%', '--csv']);
  const [head = '', ...rows] = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const [keys, rate] = ['capacity', 'targetFpr'].map((name) => head.indexOf(name));
  expect(rows.map((row) => [row[keys ?? 0], row[rate ?? 0]])).toEqual([
    ['1000000', '0.01'],
    ['1000000', '0.001'],
    ['10000000', '0.01'],
    ['10000000', '0.001'],
  ]);
});

describe('terminals', () => {
  const typings = [
    ['red\n', '1'],
    ['', '0'],
  ] as const;
  test.skipIf(!PYTHON).each(sampled(typings))(
    'the first end of input ends %j, and a line says that records are read',
    (typed, count) => {
      const script = fileURLToPath(new URL('end-of-input.py', import.meta.url));
      const { stdout } = spawnSync(PYTHON, [script, typed, process.execPath, BLOOM, 'count'], { encoding: 'utf8' });
      expect(stdout).toBe(
        `reading records from the terminal, one per line; Ctrl-D at the start of a line ends them\n${count}\n 0\n`,
      );
    },
  );

  const widest = async (line: readonly string[], COLUMNS?: string) => {
    const { stdout } = await within(line, { env: { COLUMNS } });
    return Math.max(...stdout.split('\n').map(({ length }) => length));
  };

  test('COLUMNS is the width of a help in a pipe', async () => {
    const help = ['build', '--help'];
    expect(await widest(help, '120')).toBeGreaterThan(80);
    for (const value of [undefined, '', 'wide', '0']) expect(await widest(help, value)).toBeLessThanOrEqual(80);
    expect(await widest(help, '50')).toBeLessThanOrEqual(50);
  });

  test.each([
    ['a report', ['stats', 'list.bloom', '--probes', '10k']],
    ['a table', ['size', '-n', '1M', '-p', '1%', '--kind', 'all', '--overfill']],
    ['a picture', ['size', '-n', '1M', '-p', '1%', '--plot']],
    ['a list', ['formats']],
  ])('COLUMNS is the width of %s in a pipe, which is not wrapped without it', async (_, line) => {
    expect(await widest(line)).toBeGreaterThan(60);
    expect(await widest(line, '60')).toBeLessThanOrEqual(60);
  });

  test('messages are broken between words, and lines to type are not', () => {
    expect(inLines('one two three', 9)).toBe('one two\nthree');
    expect(inLines('one two three', 0)).toBe('one two three');
    expect(inLines('bloom: no walk; try bloom query words.bloom -e walk', 20)).toBe(
      'bloom: no walk\ntry bloom query words.bloom -e walk',
    );
    expect(inLines('bloom: no; try bloom x', 40)).toBe('bloom: no; try bloom x');
    expect(inLines('to replace a, try bloom x --force', 20)).toBe('to replace a,\ntry bloom x --force');
  });
});

test('an output that was not written leaves no file', () => expect(existsSync(path('wrong'))).toBe(false));
