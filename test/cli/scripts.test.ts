// What shell scripts rely on: no message if nothing is wrong, and the meanings of the exit statuses.

import type { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { fixture, scratch, writeUntilRead } from './run.ts';

const { path, shell, start, within } = scratch();
const WORDS = fixture('words.txt');

beforeAll(async () => {
  await within(['build', WORDS, '-o', 'words.bloom']);
  await within(['build', '-n', '5130', WORDS, '-o', 'other.bloom']);
  shell(`head -n 20 ${WORDS} > few; seq 200000 > many; cp words.bloom full.bloom; $BLOOM add full.bloom many;
    cat few few few | $BLOOM build --kind counting -o sessions.bloom`);
});

describe('--quiet', () => {
  test.each<string[]>([
    ['build', WORDS, '--force', '-o', 'built.bloom'],
    ['build', WORDS, '--force', '-o', 'built.bloom', '--json'],
    ['digest', WORDS, '--force', '-o', 'digests'],
    ['count', 'many'],
    ['merge', 'words.bloom', 'other.bloom', '--force', '-o', 'merged.bloom'],
    ['merge', 'words.bloom', 'other.bloom', '--dry-run'],
    ['add', 'other.bloom', 'few'],
    ['remove', 'sessions.bloom', 'few'],
  ])('%j: no report, but the result', async (...args) => {
    const withoutTimes = ({ stdout }: { stdout: string }) => stdout.replace(/"seconds":[^,}]*/, '');
    const told = await within(args);
    expect(told).toMatchObject({ stderr: expect.stringMatching(/^.+\n$/), status: 0 });
    for (const flag of inLongRuns(['-q', '--quiet'], [args.includes('--json') ? '--quiet' : '-q'])) {
      const quiet = await within([...args, flag]);
      expect(quiet).toMatchObject({ stderr: '', status: 0 });
      if (!args.includes('remove') && !args.includes('add')) expect(withoutTimes(quiet)).toBe(withoutTimes(told));
    }
  });

  test('keeps warnings and errors', async () => {
    const { stderr } = await within(['build', '-q', '-n', '1k', WORDS, '-o', 'small.bloom']);
    expect(stderr).toMatch(/^bloom: warning: small\.bloom was sized for 1,000 keys .*\n$/);
    expect((await within(['build', '-q', 'gone', '-o', 'none.bloom'])).stderr).toContain('cannot read gone');
  });

  test('of stats answers by the exit status', async () => {
    expect(await within(['stats', '-q', '--check', '--probes', '0', 'words.bloom'])).toEqual({
      stdout: '',
      stderr: '',
      status: 0,
    });
    expect(await within(['stats', '-q', '--check', '--probes', '0', 'full.bloom'])).toEqual({
      stdout: '',
      stderr: '',
      status: 1,
    });
    expect(await within(['stats', '--probes', '1k', '-q', '--json', 'words.bloom'])).toMatchObject({
      stdout: '',
      stderr: 'bloom: --json has no effect: --quiet prints no report, and there is no -o; leave it out\n',
      status: 2,
    });
    expect((await within(['stats', '-q', '--json', '--probes', '0', 'words.bloom', '-o', 'report'])).status).toBe(0);
    expect(JSON.parse(readFileSync(path('report'), 'utf8')).healthy).toBe(true);
  });
});

type Child = ReturnType<typeof spawn>;

/** The status of a command after its input has ended, and its messages. */
async function ended(child: Child): Promise<readonly [status: number, stderr: string]> {
  const [[status], said] = await Promise.all([
    once(child, 'close'),
    text(child.stderr as Readable),
    child.stdin?.end(),
  ]);
  return [status, said];
}

describe('a change by another process meanwhile is kept, and the status is 3', () => {
  test('with add, which may be repeated', async () => {
    const slow = start(['add', 'words.bloom', '-']);
    await writeUntilRead(slow, 'theirs\n');
    expect((await within(['add', 'words.bloom', 'few'])).status).toBe(0);
    const changed = readFileSync(path('words.bloom'));
    expect(await ended(slow)).toEqual([
      3,
      'bloom: words.bloom was changed by another process, and was left as it is; run the command again\n',
    ]);
    expect(readFileSync(path('words.bloom')).equals(changed)).toBe(true);
    const loop = 'until $BLOOM add -q words.bloom few; do [ $? = 3 ] || exit; done; echo done';
    expect(shell(loop)).toEqual({ stdout: 'done\n', stderr: '', status: 0 });
  });

  test('with build: the first process to end gets the name, and only --force replaces the file', async () => {
    const builds = [1, 2].map(() => start(['build', '-q', '-n', '10', '-o', 'first.bloom', '-']));
    const [first, second] = builds as [Child, Child];
    await Promise.all([writeUntilRead(first, 'first\n'), writeUntilRead(second, 'second\n')]);
    expect(await ended(first)).toEqual([0, '']);
    expect(await ended(second)).toEqual([
      3,
      'bloom: first.bloom exists already: another process has just made it; choose another name, or add --force to replace it\n',
    ]);
    expect((await within(['query', 'first.bloom', '-e', 'first', '-e', 'second'])).stdout).toBe('first\n');
    // An output that existed from the start is an error of the command line.
    expect((await within(['build', 'few', '-o', 'first.bloom'])).status).toBe(2);
  });
});
