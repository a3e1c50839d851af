// Keys on the command line of build, add and remove.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { scratch } from './run.ts';

const { path, within } = scratch();
const bytes = (name: string) => readFileSync(path(name));

beforeAll(async () => {
  writeFileSync(path('both'), 'red\nlight blue\n');
  writeFileSync(path('red'), 'red\n');
  await within(['build', '-n', '100', '--kind', 'counting', 'both', '-o', 'both.bloom']);
  await within(['build', '-n', '100', '--kind', 'counting', 'red', '-o', 'red.bloom']);
});

const GIVEN = ['-e', 'red', '-e', 'light blue'];

describe('-e makes the filter that a file with the key makes', () => {
  test.each([
    ['both as flags', GIVEN],
    ['two in one value', ['-e', 'red\nlight blue']],
    ['beside a file', ['-e', 'light blue', 'red']],
  ])('build: %s', async (_, args) => {
    const { status } = await within(['build', '-n', '100', '--kind', 'counting', ...args, '-o', 'x.bloom', '--force']);
    expect(status).toBe(0);
    expect(bytes('x.bloom').equals(bytes('both.bloom'))).toBe(true);
  });

  test('build counts them if no size is stated', async () => {
    expect((await within(['build', ...GIVEN, '-o', 'counted.bloom'])).stderr).toContain(': 2 keys (2 distinct)');
  });

  test('build in passes', async () => {
    await within(['build', '-n', '10M', ...GIVEN, '-o', 'whole.bloom']);
    await within(['build', '-n', '10M', ...GIVEN, '--passes', '2', '-o', 'passes.bloom']);
    expect(bytes('passes.bloom').equals(bytes('whole.bloom'))).toBe(true);
  });

  test('add and remove', async () => {
    await within(['build', '-n', '100', '--kind', 'counting', 'red', '-o', 'changed.bloom']);
    expect((await within(['add', 'changed.bloom', '-e', 'light blue'])).stderr).toContain('added 1 key;');
    expect(bytes('changed.bloom').equals(bytes('both.bloom'))).toBe(true);
    expect((await within(['remove', 'changed.bloom', '-e', 'light blue'])).stderr).toContain('removed 1 key;');
    expect(bytes('changed.bloom').equals(bytes('red.bloom'))).toBe(true);
  });

  test('the standard input is read only if it is named', async () => {
    await within(['build', '-n', '100', '--kind', 'counting', '-e', 'red', '-o', 'one.bloom'], {
      stdin: 'light blue\n',
    });
    expect(bytes('one.bloom').equals(bytes('red.bloom'))).toBe(true);
    await within(['build', '-n', '100', '--kind', 'counting', '-e', 'red', '-', '-o', 'two.bloom'], {
      stdin: 'light blue\n',
    });
    expect(bytes('two.bloom').equals(bytes('both.bloom'))).toBe(true);
  });
});

test.each([['-f', '1'], ['-f', '1-'], ['--csv'], ['--comment', '#'], ['--slice', '1/2'], ['--raw']])(
  'a key of -e is used whole: %s is refused',
  async (...flags) => {
    const { stderr, status } = await within(['build', '-e', 'red', ...flags, '-o', 'y.bloom']);
    expect(stderr).toMatch(/^bloom: --[a-z-]+ has no effect: a key of -e is used whole; leave it out\n$/);
    expect(status).toBe(2);
  },
);
