// What bloom reads: how it recognises a file, and lists of files.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');

beforeAll(async () => {
  await within(['build', WORDS, '-o', 'words.bloom']);
  writeFileSync(path('one'), 'walk\n');
  writeFileSync(path('two words'), 'walks\nwlak\n');
});

describe('a byte order mark of UTF-8', () => {
  test.each([
    ['a pipe', 'cat marked | bloom query words.bloom'],
    ['standard input from a file', 'bloom query words.bloom < marked'],
    ['records that end with NUL', "tr '\\n' '\\0' < marked | bloom query -0 words.bloom | tr '\\0' '\\n'"],
  ])('is no part of the first key of %s', (_, line) => {
    writeFileSync(path('marked'), '\uFEFFwalk\nwalks');
    expect(shell(`bloom() { $BLOOM "$@"; }; ${line}`)).toEqual({ stdout: 'walk\nwalks\n', stderr: '', status: 0 });
  });

  test('is removed at the beginning of every input only, and is a key under --raw', async () => {
    writeFileSync(path('marked'), '\uFEFFwalk\n\uFEFFwalk\n');
    expect((await within(['query', '-c', 'words.bloom', 'marked', 'marked'])).stdout).toBe('2\n');
    expect((await within(['query', '-c', '--raw', 'words.bloom', 'marked'])).stdout).toBe('0\n');
    writeFileSync(path('empty'), '\uFEFF');
    expect((await within(['query', '-vc', 'words.bloom', 'empty'])).stdout).toBe('0\n');
  });
});

describe('UTF-16', () => {
  test.each([
    ['with a mark', Buffer.from('\uFEFFwalk\n', 'utf16le')],
    ['with the other mark', Buffer.from('\uFEFFé\n', 'utf16le').swap16()],
    ['without one', Buffer.from('walk\nwalks\n', 'utf16le')],
    ['without one, the other way', Buffer.from('walk', 'utf16le').swap16()],
    ['without one, and not all of it Latin', Buffer.from('price €5\nwalk\n', 'utf16le')],
    ['without one, the other way, and not all of it Latin', Buffer.from('œuf\nwalk\n', 'utf16le').swap16()],
  ])('%s is refused', async (_, bytes) => {
    writeFileSync(path('utf16'), bytes);
    const { stdout, stderr, status } = await within(['query', 'words.bloom', 'utf16', 'one']);
    expect(stderr).toContain('cannot read utf16: it seems to be UTF-16; convert it with iconv -f UTF-16 -t UTF-8');
    expect({ stdout, status }).toEqual({ stdout: 'walk\n', status: 2 });
  });

  test('is records under --raw', async () => {
    writeFileSync(path('utf16'), Buffer.from('\uFEFFwalk\n', 'utf16le'));
    expect((await within(['query', '--raw', '-vc', 'words.bloom', 'utf16'])).stderr).toBe('');
  });

  test('is not assumed for NULs at other positions, or as the ends of records', async () => {
    const asked = async (stdin: string, ...args: string[]) =>
      (await within(['query', '-c', ...args, 'words.bloom'], { stdin, isPiped: true })).stderr;
    expect(await asked('a\0b\0c\0d\0\n')).toContain('UTF-16');
    expect(await asked('a\0b\0c\0dd\0ee\n')).toBe('');
    expect(await asked('a\0b\0c\0d\0e\0', '-0')).toBe('');
    if (!IS_LONG) return;
    expect(await asked('a\0b\0c\0')).toBe('');
    expect(await asked('\0\0\0\0\0\0\0\0\0\0')).toBe('');
  });
});

describe('a filter in place of records', () => {
  beforeAll(async () => {
    await within(['build', 'one', '-o', 'other.bloom']);
    await within(['build', '--kind', 'cuckoo', 'one', '-o', 'cuckoo.bloom']);
  });

  test.each([
    [['query', 'words.bloom', 'one', 'words.bloom', '-e', 'walk']],
    [['build', 'words.bloom', '-o', 'x']],
    [['remove', 'cuckoo.bloom', 'words.bloom']],
    [['add', 'other.bloom', 'words.bloom']],
    [['stats', '--probes', '0', 'words.bloom', '--present', 'words.bloom']],
    [['stats', '--probes', '0', 'words.bloom', '--absent', 'words.bloom']],
  ])('is refused before anything is printed: %j', async (args) => {
    const { stdout, stderr, status } = await within(args);
    expect(stderr).toMatch(
      /^bloom: words\.bloom is a filter of bloom, but a text file of records is expected here; (to query several filters use -F|try bloom query -F )/,
    );
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  });

  test('is refused in a pipe, and is records under --raw', async () => {
    const stdin = readFileSync(path('words.bloom'));
    expect((await within(['build', '-o', 'x'], { stdin })).stderr).toContain('standard input is a filter of bloom');
    expect((await within(['query', '--raw', '-vc', 'words.bloom', 'words.bloom'])).status).toBe(0);
  });
});

describe('lists of inputs', () => {
  test('are read as if they followed the files of the command line', async () => {
    writeFileSync(path('list'), 'two words\r\n\none');
    const lines = 'two words:walks\none:walk\n';
    expect(await within(['query', '-H', 'words.bloom', '--files-from', 'list'])).toEqual({
      stdout: lines,
      stderr: '',
      status: 0,
    });
    expect((await within(['query', '-H', 'words.bloom', 'one', '--files-from', 'list'])).stdout).toBe(
      `one:walk\n${lines}`,
    );
    const zero = "printf 'two words\\0one\\0' | $BLOOM query -H words.bloom --files0-from -";
    expect(shell(zero).stdout).toBe(lines);
    expect((await within(['query', '-c', 'words.bloom', '-e', 'walk', '--files-from', 'list'])).stdout).toBe('3\n');
  });

  test('may be several', async () => {
    writeFileSync(path('list'), 'one\n');
    writeFileSync(path('other list'), 'two words\n');
    const { stdout } = await within([
      'query',
      '-H',
      'words.bloom',
      '--files-from',
      'list',
      '--files-from',
      'other list',
    ]);
    expect(stdout).toBe('one:walk\ntwo words:walks\n');
    const zero = 'printf "one\\0" > zero; $BLOOM query -H words.bloom --files0-from zero --files0-from zero';
    expect(shell(zero).stdout).toBe('one:walk\none:walk\n');
  });

  test('lose only names that cannot be decoded', async () => {
    writeFileSync(path('list'), Buffer.from('one\n\ncaf\xe9\ntwo words\n', 'latin1'));
    const error = 'bloom: cannot read caf\\xe9: name 3 in list is not UTF-8; rename the file, or pipe its records into';
    const asked = await within(['query', '-H', 'words.bloom', '--files-from', 'list']);
    expect(asked).toMatchObject({ stdout: 'one:walk\ntwo words:walks\n', status: 2 });
    expect(asked.stderr).toContain(error);
    const built = await within(['build', '--files-from', 'list', '-n', '9', '-o', 'most.bloom']);
    expect(built.stderr).toContain('warning: most.bloom lacks the keys of 1 input that could not be read\n');
    writeFileSync(path('list'), Buffer.from('nowhere\ncaf\xe9\n', 'latin1'));
    for (const args of [
      ['build', '-o', 'none.bloom'],
      ['add', 'most.bloom'],
    ]) {
      const { stderr, status } = await within([...args, '--files-from', 'list']);
      expect(stderr).toContain(': 2 inputs could not be read (see above); fix it');
      expect(status).toBe(2);
    }
  });

  test('are accepted by every command that reads any number of inputs', async () => {
    writeFileSync(path('list'), 'one\ntwo words\n');
    const said = async (...args: string[]) => (await within([...args, '--files-from', 'list'])).stderr;
    expect(await said('build', '--kind', 'cuckoo', '-n', '100', '-o', 'listed.bloom')).toContain(
      'listed.bloom: 3 keys',
    );
    expect(await said('add', 'listed.bloom')).toContain('added 3 keys');
    expect(await said('remove', 'listed.bloom')).toContain('removed 3 keys');
  });

  test('may be longer than a command line', () => {
    const { stdout } = shell('for i in $(seq 300); do echo one; done | $BLOOM query -c words.bloom --files-from -');
    expect(stdout).toBe('300\n');
  });

  test('are not written over', async () => {
    for (const flag of ['--files-from', '--files0-from']) {
      shell('printf one > taken');
      const { stderr, status } = await within(['build', flag, 'taken', '--force', '-o', 'taken']);
      expect(stderr).toContain('taken is both an input and the output');
      expect(status).toBe(2);
      expect(shell('cat taken').stdout).toBe('one');
    }
  });

  test.each([
    [['--files-from', 'nowhere'], '', 'cannot read nowhere: no such file or folder'],
    [['--files-from', '-'], '', 'standard input names no files; without a list, bloom reads standard input'],
    [['--files-from', '-'], 'one\n-\n', 'standard input can be read only once'],
    [['--files-from', '-', '-'], '', 'standard input can be read only once'],
    [['--files0-from', '-', '--files-from', '-'], '', 'standard input can be read only once'],
    [['--files-from', '-'], 'one\nnowhere\n', 'cannot read nowhere: no such file or folder'],
    [['--files-from', 'listed', '--files0-from', '-'], '', 'listed and standard input name no files; without a list'],
    [['--files-from', '-'], 'one\0two words\0', 'the names in standard input end with NUL; use --files0-from'],
    [['--files0-from', '-'], 'one\ntwo words\n', 'the names in standard input end with newlines; use --files-from'],
    [
      ['--files-from', '-'],
      Buffer.from('caf\xe9\n', 'latin1'),
      'cannot read caf\\xe9: name 1 in standard input is not UTF-8; rename the file',
    ],
  ])('%j with %j is an error', async (args, stdin, message) => {
    writeFileSync(path('listed'), '\n');
    const { stderr, status } = await within(['query', '-q', 'words.bloom', '-v', ...args], { stdin });
    expect(stderr).toContain(`bloom: ${message}`);
    expect(stderr).not.toContain('try bloom');
    expect(status).toBe(2);
  });
});
