// What the commands must do on every system. The program under test is a process, and so is its caller, on the same system.

import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program on one system. The current folder is its own. */
export interface Bench {
  start(...args: readonly string[]): ChildProcess;
  run(...args: readonly string[]): Promise<Outcome>;
  /** The same with records on a pipe. */
  pipe(records: string, ...args: readonly string[]): Promise<Outcome>;
}

export interface Case {
  readonly command: string;
  readonly what: string;
  /** Whether the small form includes the case. */
  readonly isSmall?: true;
  /** Returns a value that must be the same on all systems. */
  run(bench: Bench): Promise<string | undefined>;
}

const IS_WINDOWS = process.platform === 'win32';
const KEYS = Array.from({ length: 5000 }, (_, i) => `key ${i}`);
const TEXT = `${KEYS.join('\n')}\n`;

export function prepare(): void {
  writeFileSync('keys.txt', TEXT);
  writeFileSync('crlf.txt', TEXT.replaceAll('\n', '\r\n'));
}

export const CASES: readonly Case[] = [
  {
    command: 'build',
    what: 'a file',
    isSmall: true,
    async run({ run }) {
      success(await run('build', '-q', '-n', '10k', 'keys.txt', '-o', 'a.bloom'));
      return hashOf('a.bloom');
    },
  },
  {
    command: 'build',
    what: 'three threads make the same bytes as one',
    isSmall: true,
    async run({ run }) {
      writeFileSync('many.txt', Array.from({ length: 1_000_000 }, (_, i) => `record ${i}\n`).join(''));
      success(await run('build', '-q', '-n', '1M', '--threads', '3', 'many.txt', '-o', 'three.bloom'));
      success(await run('build', '-q', '-n', '1M', '--threads', '1', 'many.txt', '-o', 'one.bloom'));
      assert.equal(hashOf('three.bloom'), hashOf('one.bloom'));
      return hashOf('one.bloom');
    },
  },
  {
    command: 'build',
    what: 'CR LF at the ends of lines',
    async run({ run }) {
      success(await run('build', '-q', '-n', '10k', 'crlf.txt', '-o', 'crlf.bloom'));
      assert.equal(hashOf('crlf.bloom'), hashOf('a.bloom'));
      return undefined;
    },
  },
  {
    command: 'build',
    what: 'names with blanks and letters beyond ASCII, absolute names, long names',
    isSmall: true,
    async run({ run }) {
      const folder = resolve('a folder, für €', ...Array.from({ length: 8 }, (_, i) => `${i}`.repeat(40)));
      mkdirSync(folder, { recursive: true });
      assert.ok(folder.length > 300);
      const name = join(folder, 'größe.bloom');
      success(await run('build', '-q', '-n', '10k', resolve('keys.txt'), '-o', name));
      const { stdout } = success(await run('query', '-c', name.replaceAll('\\', '/'), 'keys.txt'));
      assert.equal(stdout, '5000\n');
      success(await run('add', '-q', name, '-e', 'ein Schlüssel für 5 €'));
      assert.equal(success(await run('query', name, '-e', 'ein Schlüssel für 5 €')).stdout, 'ein Schlüssel für 5 €\n');
      return undefined;
    },
  },
  {
    command: 'build',
    what: 'an existing file stays without --force, and is replaced with it',
    async run({ run }) {
      failure(await run('build', '-q', '-n', '10', '-e', 'x', '-o', 'a.bloom'), /a\.bloom exists already/);
      success(await run('build', '-q', '-n', '10k', 'keys.txt', '-o', 'a.bloom', '--force'));
      return undefined;
    },
  },
  {
    command: 'build',
    what: 'a kill in the middle leaves the old file',
    isSmall: true,
    async run({ start }) {
      const before = hashOf('a.bloom');
      const child = start('build', '-n', '10k', '-', '-o', 'a.bloom', '--force');
      await new Promise((done) => child.stdin?.write('record\n'.repeat(2 ** 18), done));
      child.kill('SIGKILL');
      await once(child, 'close');
      assert.equal(hashOf('a.bloom'), before);
      return undefined;
    },
  },
  {
    command: 'query',
    what: 'files, pipes and keys, with the statuses 0, 1 and 2',
    isSmall: true,
    async run({ run, pipe }) {
      assert.equal(success(await run('query', '-c', 'a.bloom', 'keys.txt')).stdout, '5000\n');
      assert.equal(success(await pipe(TEXT, 'query', '-c', 'a.bloom')).stdout, '5000\n');
      assert.equal(success(await pipe('key 7\r\nno\n', 'query', '--tag', 'a.bloom')).stdout, '+key 7\r\n-no\n');
      assert.equal((await run('query', 'a.bloom', '-e', 'no')).status, 1);
      failure(await run('query', 'none.bloom', '-e', 'no'), /cannot read none\.bloom: no such file/);
      failure(
        await run('query', `file:///${resolve('a.bloom').replaceAll('\\', '/')}`, '-e', 'no'),
        /cannot read file:/,
      );
      return undefined;
    },
  },
  {
    command: 'query',
    what: 'patterns that no shell has expanded',
    isSmall: true,
    async run({ run }) {
      mkdirSync('parts');
      for (const name of ['b', 'c'])
        success(await run('build', '-q', '-n', '10', '-e', name, '-o', join('parts', `${name}.bloom`)));
      const { stdout } = success(await run('query', '--which', '-e', 'c', '-F', `parts${sep}*.bloom`));
      return stdout.replaceAll('\\', '/');
    },
  },
  {
    command: 'query',
    what: 'a reader that ends early',
    async run({ start }) {
      const child = start('query', 'three.bloom', 'many.txt');
      if (child.stdout !== null) await once(child.stdout, 'data');
      child.stdout?.destroy();
      const said = textOf(child.stderr);
      const [status] = await once(child, 'close');
      return `${status} ${await said}`;
    },
  },
  {
    command: 'query',
    what: 'a filter on a server',
    async run({ run }) {
      const bytes = readFileSync('a.bloom');
      const server = createServer(({ headers }, response) => {
        const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
        const last = Math.min(to === '' ? bytes.length - 1 : Number(to), bytes.length - 1);
        const part = bytes.subarray(Number(from), last + 1);
        response.writeHead(206, {
          etag: '"1"',
          'content-range': `bytes ${from}-${last}/${bytes.length}`,
          'content-length': part.length,
        });
        response.end(part);
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.bloom`;
      const { stdout } = success(await run('query', url, '-e', 'key 7', '-e', 'no'));
      server.close();
      return stdout;
    },
  },
  {
    command: 'add',
    what: 'a change in place',
    isSmall: true,
    async run({ run, pipe }) {
      success(await run('build', '-q', '--kind', 'counting', '-n', '10k', 'keys.txt', '-o', 'c.bloom'));
      success(await pipe('one\ntwo\n', 'add', '-q', 'c.bloom'));
      assert.equal(success(await run('query', 'c.bloom', '-e', 'one', '-e', 'two')).stdout, 'one\ntwo\n');
      return hashOf('c.bloom');
    },
  },
  {
    command: 'add',
    what: 'a filter that another bloom queries',
    async run({ run, start }) {
      const child = start('query', '--line-buffered', '--tag', 'c.bloom');
      const answers = answersOf(child);
      child.stdin?.write('three\n');
      assert.equal(await answers(), '-three\n');
      success(await run('add', '-q', 'c.bloom', '-e', 'three'));
      child.stdin?.write('three\n');
      assert.equal(await answers(), '+three\n');
      child.stdin?.end();
      assert.deepEqual(await once(child, 'close'), [0, null]);
      return undefined;
    },
  },
  {
    command: 'add',
    what: 'a filter that another program has open',
    isSmall: true,
    async run({ run }) {
      const before = hashOf('c.bloom');
      const fd = openSync('c.bloom', 'r');
      const outcome = await run('add', '-q', 'c.bloom', '-e', 'four');
      closeSync(fd);
      // Windows refuses this with an error, and keeps the old file.
      if (!IS_WINDOWS) success(outcome);
      else {
        failure(outcome, /cannot write c\.bloom: .*another program may have it open/);
        assert.equal(hashOf('c.bloom'), before);
        success(await run('add', '-q', 'c.bloom', '-e', 'four'));
      }
      return undefined;
    },
  },
  {
    command: 'add',
    what: 'several at once',
    async run({ run }) {
      const names = ['five', 'six', 'seven'];
      const outcomes = await Promise.all(names.map((name) => run('add', '-q', 'c.bloom', '-e', name)));
      for (const [i, { status, stderr }] of outcomes.entries()) {
        assert.ok(status === 0 || status === 3, stderr);
        if (status === 0) success(await run('query', '-q', 'c.bloom', '-e', names[i] ?? ''));
      }
      assert.deepEqual(hidden(), []);
      return undefined;
    },
  },
  {
    command: 'remove',
    what: 'a change in place',
    isSmall: true,
    async run({ run }) {
      success(await run('remove', '-q', 'c.bloom', '-e', 'one', '-e', 'two'));
      assert.equal((await run('query', 'c.bloom', '-e', 'one', '-e', 'two')).status, 1);
      assert.equal(success(await run('query', '-c', 'c.bloom', 'keys.txt')).stdout, '5000\n');
      return undefined;
    },
  },
  {
    command: 'merge',
    what: 'a union',
    async run({ run, pipe }) {
      success(await pipe('other\n', 'build', '-q', '--like', 'a.bloom', '-o', 'other.bloom'));
      success(await run('merge', '-q', 'a.bloom', 'other.bloom', '-o', 'union.bloom'));
      return hashOf('union.bloom');
    },
  },
  {
    command: 'dedup',
    what: 'a state, twice',
    isSmall: true,
    async run({ pipe }) {
      assert.equal(success(await pipe('a\nb\na\n', 'dedup', '--state', 'seen.bloom')).stdout, 'a\nb\n');
      assert.equal(success(await pipe('b\nc\n', 'dedup', '--state', 'seen.bloom')).stdout, 'c\n');
      return undefined;
    },
  },
  {
    command: 'dedup',
    what: 'a state that another dedup holds, and that a killed one has left',
    isSmall: true,
    async run({ pipe, start }) {
      const child = start('dedup', '--state', 'seen.bloom');
      child.stdin?.write('d\n');
      while (hidden().length === 0) await sleep(20);
      failure(
        await pipe('e\n', 'dedup', '--state', 'seen.bloom'),
        /seen\.bloom is in use by another bloom, process \d+/,
      );
      child.kill('SIGKILL');
      await once(child, 'close');
      assert.equal(success(await pipe('d\n', 'dedup', '--state', 'seen.bloom')).stdout, 'd\n');
      assert.deepEqual(hidden(), []);
      return undefined;
    },
  },
  printed('count', ['count', 'keys.txt'], true),
  {
    command: 'digest',
    what: 'a file, of which a filter is built',
    async run({ run }) {
      success(await run('digest', '-q', 'keys.txt', '-o', 'keys.digests'));
      success(await run('build', '-q', '-n', '10k', '--digests', 'keys.digests', '-o', 'd.bloom'));
      return hashOf('d.bloom');
    },
  },
  {
    command: 'index',
    what: 'a folder, what is new in it, and the files with a key',
    isSmall: true,
    async run({ run }) {
      mkdirSync('logs');
      writeFileSync(join('logs', 'a.log'), 'one\ntwo\n');
      writeFileSync(join('logs', 'b.log'), 'two\n');
      success(await run('index', '-q', '-r', 'logs', '-o', 'logs.index'));
      writeFileSync(join('logs', 'c.log'), 'two\nthree\n');
      success(await run('index', '-q', '-r', 'logs', '--update', '-o', 'logs.index'));
      const { stdout } = success(await run('query', 'logs.index', '-e', 'two'));
      assert.deepEqual(
        stdout.split('\n').slice(0, -1),
        ['a', 'b', 'c'].map((name) => join('logs', `${name}.log`)),
      );
      return undefined;
    },
  },
  printed('size', ['size', '-n', '10M', '-p', '1%'], true),
  {
    command: 'size',
    what: 'a picture',
    async run({ run }) {
      success(await run('size', '-n', '1M', '--svg', 'size.svg'));
      return hashOf('size.svg');
    },
  },
  printed('stats', ['stats', 'a.bloom', '--probes', '0', '--present', 'keys.txt', '--check']),
  printed('compare', ['compare', 'a.bloom', 'a.bloom']),
  printed('formats', ['formats']),
  printed('completion', ['completion', 'bash']),
  {
    command: 'library',
    what: 'a filter that replaces its own file',
    async run() {
      const library = require(process.argv[3] ?? '') as typeof import('../../src/library/index.ts');
      const filter = await library.openFilter('a.bloom', { writable: true });
      filter.add('eight');
      await filter.save('a.bloom');
      assert.equal(filter.has('eight'), true);
      filter.close();
      return undefined;
    },
  },
  {
    command: 'cache of code',
    what: 'it is kept, and used',
    async run() {
      const folder = IS_WINDOWS ? process.env.LOCALAPPDATA : process.env.XDG_CACHE_HOME;
      assert.ok(existsSync(join(folder ?? '', 'bloom', 'code')), 'there is no folder');
      return undefined;
    },
  },
];

/** A case in which a command must print the same everywhere. */
function printed(command: string, args: readonly string[], isSmall?: true): Case {
  return {
    command,
    what: args.slice(1).join(' '),
    ...(isSmall && { isSmall }),
    run: async ({ run }) => success(await run(...args)).stdout,
  };
}

function success(outcome: Outcome): Outcome {
  assert.deepEqual({ status: outcome.status, stderr: outcome.stderr }, { status: 0, stderr: '' });
  return outcome;
}

function failure({ status, stderr }: Outcome, message: RegExp): void {
  assert.match(stderr, message);
  assert.equal(stderr.trim().split('\n').length, 1);
  assert.equal(status, 2);
}

/** Reads the output of a process, one chunk at a time; empty once the process has ended. */
function answersOf({ stdout }: ChildProcess): () => Promise<string> {
  const chunks = stdout?.[Symbol.asyncIterator]();
  return async () => String((await chunks?.next())?.value ?? '');
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Locks and temporary files in the folder. */
function hidden(): string[] {
  return readdirSync('.').filter((name) => name.startsWith('.'));
}

export function createBench([program = '', ...before]: readonly string[]): Bench {
  const start = (...args: readonly string[]) => spawn(program, [...before, ...args]);
  const pipe = async (records: string, ...args: readonly string[]): Promise<Outcome> => {
    const child = start(...args);
    child.stdin.on('error', () => {});
    child.stdin.end(records);
    const [stdout, stderr, [status]] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      once(child, 'close'),
    ]);
    return { status, stdout, stderr };
  };
  return { start, pipe, run: (...args) => pipe('', ...args) };
}
