// Results in a file that appears under its name in one step.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { scratch } from './run.ts';

const { path, shell, within } = scratch();
const read = (name: string) => readFileSync(path(name), 'utf8');

beforeAll(async () => {
  writeFileSync(path('keys'), 'red\nblue\n');
  writeFileSync(path('log'), 'red\nnone\nblue\nred\n');
  await within(['build', '-p', '1e-9', 'keys', '-o', 'keys.bloom']);
});

describe('query --output', () => {
  test.each([
    ['query keys.bloom log', 0],
    ['query keys.bloom log -c', 0],
    ['query keys.bloom log -H -c', 0],
    ['query keys.bloom log -l', 0],
    ['query keys.bloom log --json', 0],
    ['query keys.bloom log -o -n', 0],
    ['query keys.bloom -e red -e none --tag', 0],
    ['query keys.bloom -e none', 1],
    ['query --which keys.bloom -e red -e none', 0],
    ['query --which keys.bloom -e red --json', 0],
    ['query -F keys.bloom --which log', 0],
  ])('%s writes the same bytes as it prints', async (line, status) => {
    const args = line.split(' ');
    const printed = await within(args);
    expect(await within([...args, '--output', 'found', '--force'])).toEqual({ stdout: '', stderr: '', status });
    expect(read('found')).toBe(printed.stdout);
    expect(printed.status).toBe(status);
  });

  test('replaces a file only with --force, and not if an input could not be read', async () => {
    writeFileSync(path('kept'), 'before\n');
    expect((await within(['query', 'keys.bloom', 'log', '--output', 'kept'])).stderr).toContain('kept exists already');
    const { stderr, status } = await within(['query', 'keys.bloom', 'log', '.', '--output', 'kept', '--force']);
    expect(stderr).toBe(
      'bloom: cannot read .: is a directory\nbloom: kept was not changed: something could not be read (see above); fix it or leave it out\n',
    );
    expect([status, read('kept')]).toEqual([2, 'before\n']);
    await within(['query', 'keys.bloom', 'log', '.', '--output', 'new']);
    expect(existsSync(path('new'))).toBe(false);
    expect(readdirSync(path('.')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('refuses to write over an input', async () => {
    const { stderr } = await within(['query', 'keys.bloom', 'log', '--output', 'log', '--force']);
    expect(stderr).toContain('log is both an input and the output');
  });

  test.each([
    [['-q'], '--output has no effect: --quiet prints nothing'],
    [['--line-buffered'], '--line-buffered has no effect: --output writes the whole file at the end'],
  ])('is refused if a flag has no effect: %j', async (flags, message) => {
    expect((await within(['query', 'keys.bloom', 'log', '--output', 'x', ...flags])).stderr).toContain(message);
  });

  test('writes records in their order with several threads', async () => {
    shell('seq 40000 > numbers; head -n 20000 numbers > half');
    await within(['build', '-p', '1e-9', 'half', '-o', 'half.bloom']);
    const inputs = Array.from({ length: 14 }, () => 'numbers');
    const query = ['query', '--threads', '3', 'half.bloom', ...inputs, '--output', 'all'];
    expect((await within(query, { chunk: 99_999 })).status).toBe(0);
    expect(read('all') === read('half').repeat(14)).toBe(true);
  });
});

describe('dedup --output', () => {
  test.each(['-o', '--output'])('%s writes the same bytes as it prints', async (flag) => {
    expect(await within(['dedup', 'log', flag, `once${flag}`])).toEqual({ stdout: '', stderr: '', status: 0 });
    expect(read(`once${flag}`)).toBe('red\nnone\nblue\n');
  });

  test('saves the state only after the output is complete', async () => {
    const flags = ['--state', 'seen.bloom', '-n', '100'];
    const { status } = await within(['dedup', ...flags, 'log', '.', '-o', 'first']);
    expect([status, existsSync(path('first')), existsSync(path('seen.bloom'))]).toEqual([2, false, false]);
    await within(['dedup', ...flags, 'log', '-o', 'first']);
    expect(read('first')).toBe('red\nnone\nblue\n');
    await within(['dedup', ...flags, 'log', '-o', 'second']);
    expect(read('second')).toBe('');
  });

  test('replaces a file only with --force', async () => {
    writeFileSync(path('kept'), 'before\n');
    const command = ['dedup', 'log', '-o', 'kept'];
    expect((await within(command)).status).toBe(2);
    expect(read('kept')).toBe('before\n');
    expect((await within([...command, '--force'])).status).toBe(0);
    expect(read('kept')).toBe('red\nnone\nblue\n');
  });

  test.each([
    [['-c'], '--output has no effect: --count prints no records'],
    [['--state', 's', '--every', '1M'], '--every has no effect: --output writes the whole file at the end'],
  ])('is refused with %j', async (flags, message) => {
    expect((await within(['dedup', 'log', '-o', 'x', ...flags])).stderr).toContain(message);
  });
});
