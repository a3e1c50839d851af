// A pager behind the command changes the modes of the terminal. The command must leave them unchanged.

import { execFileSync } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../long.ts';
import { PYTHON } from '../python/python.ts';
import { fixture, scratch } from './run.ts';

const PAGER = fileURLToPath(new URL('pager.py', import.meta.url));

const { path, shell, within } = scratch();

/** Runs a shell line of one command before a pager that ends as `end` says. */
function paged(end: string, line: string): unknown {
  const args = [PAGER, end, 'bash', '--norc', '-c', `exec ${line}`];
  const BLOOM = shell('echo "$BLOOM"').stdout.trim();
  const env = { ...process.env, BLOOM, LC_ALL: 'C', TERM: 'dumb' };
  return JSON.parse(execFileSync(PYTHON, args, { cwd: path('.'), encoding: 'utf8', env }));
}

beforeAll(async () => {
  await within(['build', fixture('words.txt'), '-o', 'words.bloom']);
  // More than a pipe holds, and more than the command reads before it prints.
  shell(`for i in $(seq 200); do cat ${fixture('words.txt')}; done > many`);
});

describe.skipIf(!PYTHON)('the shell has its echo after the pager ends', () => {
  test.each(
    sampled([
      ['the pager is left before its end', 'quit', '$BLOOM query words.bloom many', 0, ''],
      ['the pager is left, and threads print', 'quit', '$BLOOM query --threads 2 words.bloom many', 0, ''],
      ['all was read', 'read', '$BLOOM query words.bloom -e walk', 0, ''],
      [
        'a message comes last, which is shown',
        'read',
        '$BLOOM query words.bloom many nowhere',
        2,
        expect.stringMatching(/^bloom: cannot read nowhere: no such file or folder.*\r\n$/),
      ],
      ['SIGINT ends the command', String(constants.signals.SIGINT), '$BLOOM query words.bloom many', -2, ''],
      ['SIGTERM ends the command', String(constants.signals.SIGTERM), '$BLOOM query words.bloom many', -15, ''],
    ]),
  )('if %s', (_, end, line, status, shown) => {
    expect(paged(end, line)).toEqual({ echo: true, status, shown });
  });
});
