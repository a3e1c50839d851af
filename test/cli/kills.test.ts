// A command is killed in place of any of its system calls on files. The next command succeeds at once, and files are old or new.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFaults } from '../faults/faults.ts';
import { rangeServer } from '../io/remote/range-server.ts';
import { IS_LONG } from '../long.ts';
import type { Outcome } from '../starter.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, start } = scratch();
const faults = await createFaults();
const server = await rangeServer({ bytes: new Uint8Array(0), version: { etag: '"a"' } });
const URL = `${server.origin}/f`;
const WORDS = fixture('words.txt');

/** Runs a command in the folder while this process continues, as it serves files. */
async function run(args: readonly string[], variables: Record<string, string> = {}): Promise<Outcome> {
  const { NODE_OPTIONS, ...rest } = process.env;
  const env = { ...rest, XDG_CACHE_HOME: path('cache'), ...variables };
  const child = start(args, { cwd: work(), env });
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (text) => {
    texts.stdout += text;
  });
  child.stderr?.on('data', (text) => {
    texts.stderr += text;
  });
  const [status] = await once(child, 'close');
  return { ...texts, status };
}

const work = () => realpathSync(path('work'));
const begin = () => {
  rmSync(path('work'), { recursive: true, force: true });
  cpSync(path('before'), path('work'), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
};
const contentOf = (name: string) => {
  const file = join(path('work'), name);
  return existsSync(file) ? readFileSync(file).toString('latin1') : '';
};
const notes = () => readdirSync(path('work')).filter((name) => /\.(lock|holder|left|writer)$/.test(name));

/** The calls that change files or their names. A kill between two of them leaves the same files. */
const CHANGES = ['open', 'write', 'symlink', 'link', 'rename', 'unlink', 'mkdir'];

/** Runs a command again and again, killed at one call after the other. */
async function killedAtEach(
  args: readonly string[],
  check: (killed: Outcome) => Promise<void>,
  variables: Record<string, string> = {},
) {
  begin();
  await run(args, { ...variables, ...faults.variables(work()) });
  const calls = faults.logged();
  const at = calls.flatMap((call, i) => (CHANGES.includes(call) ? [i + 1] : []));
  expect(at.length).toBeGreaterThan(2);
  for (const each of at) {
    begin();
    const fault = { call: 'any', at: each, errno: 0 };
    const killed = await run(args, { ...variables, ...faults.variables(work(), fault) });
    expect(killed.status, `${args.join(' ')}: ${calls[each - 1]} ${each}`).toBe(null);
    await check(killed);
  }
}

describe.skipIf(!IS_LONG || !faults.arePossible)('killed at any system call', () => {
  beforeAll(() => {
    mkdirSync(path('before'));
    mkdirSync(path('work'));
    shell(
      `cd before; head -n 300 ${WORDS} > in; head -n 100 ${WORDS} > some; $BLOOM build -n 300k some -o old.bloom; $BLOOM dedup -n 6k --state seen some; $BLOOM index --checksum in -o old.index; $BLOOM index --checksum some -o other.index`,
    );
    server.served.bytes = readFileSync(path('before/old.bloom'));
  });

  test('dedup --state prints the missing records when repeated, and the state is the old or the new one', async () => {
    const args = ['dedup', '--state', 'seen', 'in'];
    begin();
    const old = contentOf('seen');
    const whole = await run(args);
    const made = contentOf('seen');
    await killedAtEach(args, async (killed) => {
      expect([old, made]).toContain(contentOf('seen'));
      for (const note of notes()) expect(readlinkSync(join(work(), note))).toMatch(/^\d+ \S+ ./);
      const next = await run(args);
      expect(next).toMatchObject({ stderr: '', status: 0 });
      if (contentOf('seen') !== made || next.stdout !== '') expect(next.stdout).toBe(whole.stdout);
      else expect(killed.stdout).toBe(whole.stdout);
      expect(notes()).toEqual([]);
      expect(readdirSync(work()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    });
  });

  test('add, also while it removes the lock of another killed add', async () => {
    const { pid } = spawnSync('true');
    symlinkSync(`${pid} - ${hostname()}`, join(path('before'), '.old.bloom.lock'));
    try {
      const args = ['add', '-q', 'old.bloom', 'in'];
      await killedAtEach(args, async () => {
        expect(await run(args)).toEqual({ stdout: '', stderr: '', status: 0 });
        // The right to remove that lock may be left over. The next process that needs it replaces it.
        expect(notes().filter((name) => name.endsWith('.lock'))).toEqual([]);
        expect((await run(['query', '-c', 'old.bloom', 'in'])).stdout).toBe('300\n');
      });
    } finally {
      rmSync(join(path('before'), '.old.bloom.lock'));
    }
  });

  test.each([
    [
      'index --update --checksum',
      ['index', '-q', 'in', 'some', '--update', '--checksum', '-o', 'old.index'],
      'old.index',
    ],
    ['merge of indexes', ['merge', '-q', 'old.index', 'other.index', '--force', '-o', 'all.index'], 'all.index'],
  ])('%s leaves the old index or the new one', async (_, args, output) => {
    begin();
    const old = contentOf(output);
    await run(args);
    const made = contentOf(output);
    expect(made).not.toBe(old);
    await killedAtEach(args, async () => {
      expect([old, made]).toContain(contentOf(output));
      expect(await run(args)).toEqual({ stdout: '', stderr: '', status: 0 });
      expect(contentOf(output)).toBe(made);
      expect(readdirSync(work()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    });
  });

  test.each([
    ['the code of the program', ['query', 'old.bloom', 'some', '-c']],
    ['copies of files on servers', ['query', URL, 'some', '-c']],
  ])('a query answers the same, whatever remains of %s', async (_, args) => {
    const variables = { XDG_CACHE_HOME: join(work(), 'cache') };
    const check = async () => {
      for (let i = 0; i < 2; i++)
        expect(await run(args, variables)).toEqual({ stdout: '100\n', stderr: '', status: 0 });
    };
    await killedAtEach(args, check, variables);
  });
});
