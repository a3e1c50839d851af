// Names of files that control terminals, and names in folders that nobody should open.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG } from '../long.ts';
import { scratch } from './run.ts';

const { path, shell, within } = scratch();
const isMissing = spawnSync('script', ['--version']).status !== 0;

/** A name that would turn the text after it red, and how bloom shows it. */
const NAME = 'a\x1b[31mb';
const SHOWN = '"a\\u001b[31mb"';

beforeAll(async () => {
  mkdirSync(path('lists'));
  for (const name of ['keys', NAME]) writeFileSync(path(name), 'red\n');
  await within(['build', '-p', '1e-9', 'keys', '-o', `lists/${NAME}`]);
  shell('mkfifo lists/pipe open');
});

/** The arguments, and the output with the names in their places. */
const PRINTED: readonly (readonly [args: readonly string[], lines: (name: string, filter: string) => string])[] = [
  [['query', '--which', 'lists', '-e', 'red'], (_, filter) => `${filter}`],
  [['query', '--which', 'lists', '-e', 'red', '-e', 'x'], (_, filter) => `${filter}\tred`],
  [['query', '-F', 'lists', '--which', 'keys'], (_, filter) => `${filter}\tred`],
  [['query', '-F', 'lists', '--which', '-c', 'keys'], (_, filter) => `${filter}\t1`],
  [['query', '-F', 'lists', '-H', NAME], (name) => `${name}:red`],
  [['query', '-F', 'lists', '-H', '-o', NAME], (name) => `${name}:red`],
  [['query', '-F', 'lists', '-H', '-c', NAME], (name) => `${name}:1`],
  [['query', '-F', 'lists', '-l', NAME], (name) => name],
];

const quoted = (args: readonly string[]) => args.map((argument) => `'${argument}'`).join(' ');

describe('names with control characters', () => {
  test.each(PRINTED)('%j: byte for byte into a file or pipe', async (args, lines) => {
    const { stdout } = await within(args);
    expect(stdout).toBe(`${lines(NAME, `lists/${NAME}`)}\n`);
  });

  test.skipIf(isMissing || !IS_LONG)('are escaped on a terminal, in results and messages', () => {
    const commands = PRINTED.map(([args]) => quoted(args));
    commands.push(`query -F lists --which -H ${quoted([NAME])} --color=always`);
    commands.push(`stats --prometheus ${quoted([`lists/${NAME}`])}`, `stats ${quoted([`lists/${NAME}`])}`);
    commands.push(`query lists ${quoted([`gone${NAME}`])}`, 'query lists -e red --column x');
    writeFileSync(path('all.sh'), commands.map((command) => `$BLOOM ${command}\n`).join(''));
    const { stdout } = shell('NO_COLOR=1 script -qec "sh all.sh" /dev/null < /dev/null');
    // The colours of bloom have other numbers.
    expect(stdout).not.toContain('\x1b[31m');
    const expected = PRINTED.map(([, lines]) => lines(SHOWN, `"lists/${SHOWN.slice(1)}`));
    for (const line of expected) expect(stdout.split('\r\n')).toContain(line);
    expect(stdout).toContain('file="lists/a\\u001b[31mb"');
    expect(stdout).toContain('cannot read "gonea\\u001b[31mb"');
  });
});

test('a pattern or folder stands for regular files: a FIFO that lies there is not opened', () => {
  for (const place of ["'lists/*'", 'lists']) {
    const { stdout, status } = shell(`timeout 1200 $BLOOM query --which ${place} -e red`);
    expect({ stdout, status }).toEqual({ stdout: `lists/${NAME}\n`, status: 0 });
    if (IS_LONG) expect(shell(`timeout 1200 $BLOOM query ${place} -e red`).stdout).toBe('red\n');
  }
});

test('a file that is not a filter is reported before keys are read', () => {
  // The standard input is empty, and never ends.
  const { stderr, status } = shell('exec 3<>open; timeout 1200 $BLOOM query lists --which keys <&3');
  expect(stderr).toMatch(/^bloom: keys is not a filter, .*; try bloom query -F lists --which keys\n$/);
  expect(status).toBe(2);
});
