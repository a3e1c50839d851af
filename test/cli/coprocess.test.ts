// A filter that stays open: the command runs as a co-process while its filter is replaced.

import { once } from 'node:events';
import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rangeServer } from '../io/remote/range-server.ts';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { PYTHON } from '../python/python.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, start, within } = scratch();

beforeAll(async () => {
  const keys = (letter: string) => Array.from({ length: 2000 }, (_, i) => `${letter}${i} ${letter}\n`).join('');
  for (const letter of ['a', 'b']) {
    writeFileSync(path(letter), keys(letter));
    const build = async (name: string, ...flags: readonly string[]) =>
      expect((await within(['build', letter, '-f', '1', '-o', `${letter}.${name}`, ...flags])).status).toBe(0);
    await build('small', '-n', '2k', '-p', '1e-9');
    await build('large', '-n', '1M');
    await build('scalable', '--kind', 'scalable', '-p', '1e-9');
    await build('fuse', '--kind', 'fuse', '-p', '1e-9');
    await build('guava', '--format', 'guava', '-n', '1M');
    if (letter === 'a') continue;
    await build('seed', '--seed', '3');
    await build('trim', '--trim');
    await build('guava-small', '--format', 'guava', '-p', '1e-9');
  }
});

/** The co-process of a test. */
interface Talk {
  /** Writes the text at once, and resolves to this many lines of answers. */
  ask(text: string, lines?: number): Promise<string[]>;
  signal(): void;
  /** Ends the process; resolves to its status and its messages. */
  end(): Promise<{ status: number | null; stderr: string }>;
  /** Resolves when the process has written this message. */
  says(what: string): Promise<void>;
}

const running: ReturnType<typeof start>[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

function talk(...args: readonly string[]): Talk {
  const child = start(['query', '--line-buffered', '--tag', ...args]);
  running.push(child);
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('there are pipes');
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let said = '';
  stderr.on('data', (text) => {
    said += text;
  });
  return {
    async ask(text, lines = 1) {
      stdin.write(text);
      const read: string[] = [];
      while (read.length < lines) read.push(String((await answers.next()).value));
      return read;
    },
    signal: () => void child.kill('SIGHUP'),
    async end() {
      stdin.end();
      const [status] = await once(child, 'close');
      return { status, stderr: said };
    },
    async says(what) {
      while (!said.includes(what)) await once(stderr, 'data');
    },
  };
}

/** Replaces the queried filter in one step. */
function replace(by: string): void {
  copyFileSync(path(by), path('next'));
  renameSync(path('next'), path('f.bloom'));
}

const KEYS = 'a7\nb7\n';
const A = ['+a7', '-b7'];
const B = ['-a7', '+b7'];

beforeEach(() => replace('a.large'));

describe('a filter that was replaced', () => {
  test.each(inLongRuns(['1', '2', '3', '4', '8', '16'], ['3']))(
    'is queried from the next record on, with --threads %s',
    async (threads) => {
      const { ask, end } = talk('--threads', threads, 'f.bloom');
      expect(await ask(KEYS, 2)).toEqual(A);
      replace('b.large');
      expect(await ask(KEYS, 2)).toEqual(B);
      replace('a.large');
      expect(await ask(KEYS, 2)).toEqual(A);
      expect(await end()).toEqual({ status: 0, stderr: '' });
    },
  );

  test('may be of another size and kind', async () => {
    const { ask, end } = talk('f.bloom');
    expect(await ask(KEYS, 2)).toEqual(A);
    for (const name of ['small', 'scalable', 'large', 'fuse', 'small', 'large']) {
      replace(`b.${name}`);
      expect(await ask(KEYS, 2)).toEqual(B);
      replace(`a.${name}`);
      expect(await ask(KEYS, 2)).toEqual(A);
    }
    expect(await end()).toEqual({ status: 0, stderr: '' });
  });

  test.runIf(IS_LONG)('may be of another system', async () => {
    replace('a.guava');
    const { ask, end } = talk('f.bloom');
    expect(await ask(KEYS, 2)).toEqual(A);
    replace('b.guava-small');
    expect(await ask(KEYS, 2)).toEqual(B);
    truncateSync(path('f.bloom'), 1);
    expect(await ask(KEYS, 2)).toEqual(B);
    expect((await end()).stderr).toMatch(
      /^bloom: warning: f\.bloom .* queries still use the filter that was there before\n$/,
    );
  });

  test.runIf(IS_LONG)('is not queried for earlier records', async () => {
    const { ask, end } = talk('f.bloom', '-f', '1-');
    // The second record is incomplete.
    expect(await ask('x a7\nx b', 1)).toEqual(['+x a7']);
    replace('b.large');
    expect(await ask('7 x\nx a7\n', 2)).toEqual(['+x b7 x', '-x a7']);
    expect(await end()).toEqual({ status: 0, stderr: '' });
  });

  test.each(
    sampled([
      [
        'is damaged',
        () => {
          const bytes = readFileSync(path('b.large'));
          bytes[bytes.length / 2] = (bytes[bytes.length / 2] ?? 0) ^ 1;
          writeFileSync(path('damaged'), bytes);
          replace('damaged');
        },
        /f\.bloom is damaged: segment \d of 3 does not match its checksum/,
      ],
      [
        'is cut off',
        () => {
          writeFileSync(path('cut'), readFileSync(path('b.large')).subarray(0, 1000));
          replace('cut');
        },
        /f\.bloom is damaged: it has 1000 bytes/,
      ],
      ['is none', () => replace('a'), /f\.bloom is not a filter/],
      ['has another seed', () => replace('b.seed'), /replaced by a filter with another seed/],
      ['trims its keys', () => replace('b.trim'), /replaced by a filter with another trim/],
      ['is of another system', () => replace('b.guava'), /replaced by a filter with another hash/],
      ['is written over the one before', () => writeFileSync(path('f.bloom'), 'not all of it'), /is not a filter/],
    ] as const),
  )('is not queried if it %s, and one warning says so', async (_, change, warning) => {
    const { ask, end } = talk('f.bloom');
    expect(await ask(KEYS, 2)).toEqual(A);
    change();
    for (let i = 0; i < 3; i++) expect(await ask(KEYS, 2)).toEqual(A);
    // The same holds for segments that no query has read.
    for (let i = 0; i < 20; i++) expect(await ask(`a${i}\n`)).toEqual([`+a${i}`]);
    replace('b.small');
    expect(await ask(KEYS, 2)).toEqual(B);
    const { status, stderr } = await end();
    expect(status).toBe(0);
    expect(stderr).toMatch(
      new RegExp(
        `^bloom: warning: [^\\n]*${warning.source}[^\\n]*; queries still use the filter that was there before\\n$`,
      ),
    );
  });

  test.runIf(IS_LONG)('is awaited if the file is missing for a while', async () => {
    const { ask, end } = talk('f.bloom');
    expect(await ask(KEYS, 2)).toEqual(A);
    rmSync(path('f.bloom'));
    expect(await ask(KEYS, 2)).toEqual(A);
    replace('b.large');
    expect(await ask(KEYS, 2)).toEqual(B);
    expect(await end()).toEqual({ status: 0, stderr: '' });
  });

  test('answers all records of one batch, or none', async () => {
    const { ask, end } = talk('f.bloom');
    const seen = new Set<string>();
    let last: string[] = [];
    for (let i = 0; i < inLongRuns(200, 8); i++) {
      const answers = ask('a1\nb1\n'.repeat(100), 200);
      replace(i % 2 === 0 ? 'b.large' : 'a.large');
      last = await answers;
      seen.add([...new Set(last)].sort().join(' '));
    }
    expect([...seen].sort()).toEqual([['+a1', '-b1'].join(' '), ['+b1', '-a1'].join(' ')].slice(0, seen.size));
    expect(last).toHaveLength(200);
    expect(await end()).toEqual({ status: 0, stderr: '' });
  });

  test('may be any of several filters, which are named', async () => {
    copyFileSync(path('a.small'), path('first'));
    const { ask, end } = talk('first', '-F', 'f.bloom', '-F', 'b.seed', '--which');
    replace('b.large');
    expect(await ask(KEYS, 2)).toEqual(['+first\ta7', '+f.bloom,b.seed\tb7']);
    replace('a.scalable');
    expect(await ask(KEYS, 2)).toEqual(['+first,f.bloom\ta7', '+b.seed\tb7']);
    copyFileSync(path('b.fuse'), path('next'));
    renameSync(path('next'), path('first'));
    expect(await ask(KEYS, 2)).toEqual(['+f.bloom\ta7', '+first,b.seed\tb7']);
    replace('b.seed');
    expect(await ask(KEYS, 2)).toEqual(['+f.bloom\ta7', '+first,b.seed\tb7']);
    replace('b.small');
    copyFileSync(path('a.small'), path('next'));
    renameSync(path('next'), path('first'));
    expect(await ask(KEYS, 2)).toEqual(['+first\ta7', '+f.bloom,b.seed\tb7']);
    expect((await end()).stderr).toMatch(
      /^bloom: warning: f\.bloom was replaced by a filter with another .* queries still use the filter that was there before\n$/,
    );
  });

  test.runIf(IS_LONG)('is the filter of the summary', async () => {
    const { ask, end } = talk('f.bloom', '--summary');
    await ask(KEYS, 2);
    replace('b.small');
    await ask(KEYS, 2);
    const { stderr } = await end();
    expect(stderr).toMatch(/^4 records: 2 absent/);
    expect(stderr).toContain(
      /at a rate of [^\n]*/.exec((await within(['query', 'b.small', '--summary'], { stdin: KEYS })).stderr)?.[0],
    );
  });
});

describe('SIGHUP', () => {
  test('makes query read the file again', async () => {
    const { ask, signal, end, says } = talk('f.bloom');
    expect(await ask(KEYS, 2)).toEqual(A);
    rmSync(path('f.bloom'));
    signal();
    await says('cannot read f.bloom: no such file or folder; queries still use the filter that was there before\n');
    expect(await ask(KEYS, 2)).toEqual(A);
    expect((await end()).status).toBe(0);
  });

  test('makes query open a filter on a server again', async () => {
    const { served, origin, ranges } = await rangeServer({
      bytes: readFileSync(path('a.large')),
      version: { etag: '"a"' },
    });
    const { ask, signal, end, says } = talk(`${origin}/f`);
    expect(await ask(KEYS, 2)).toEqual(A);
    ranges();
    expect(await ask(KEYS, 2)).toEqual(A);
    expect(ranges()).toEqual([]);
    Object.assign(served, { bytes: readFileSync(path('a')), version: { etag: '"b"' } });
    signal();
    await says('is not a filter');
    expect(await ask(KEYS, 2)).toEqual(A);
    Object.assign(served, { bytes: readFileSync(path('b.large')), version: { etag: '"c"' } });
    signal();
    let answers = await ask(KEYS, 2);
    while (answers[0] === A[0]) answers = await ask(KEYS, 2);
    expect(answers).toEqual(B);
    expect((await end()).status).toBe(0);
  });

  test('ends a query without --line-buffered', async () => {
    const child = start(['query', 'f.bloom']);
    running.push(child);
    child.stdin?.write('a7\n');
    await once(child.stdout ?? child, 'data');
    child.kill('SIGHUP');
    expect(await once(child, 'exit')).toEqual([null, 'SIGHUP']);
  });
});

/** The example of the reference in a language. */
function exampleIn(language: string): string {
  const reference = readFileSync(new URL('../../src/commands/REFERENCE.md', import.meta.url), 'utf8');
  const [, example = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(reference) ?? [];
  return example;
}

describe('the example of a co-process', () => {
  const EXPECTED = { stdout: 'walk: maybe\nwlak: no\n', stderr: '', status: 0 };
  beforeAll(async () => {
    await within(['build', fixture('words.txt'), '-o', 'words.bloom']);
    writeFileSync(path('bloom'), '#!/bin/sh\nexec $BLOOM "$@"\n', { mode: 0o755 });
  });

  test('in bash', () => {
    writeFileSync(path('example.bash'), exampleIn('bash'));
    expect(shell('PATH=$PWD:$PATH bash example.bash')).toEqual(EXPECTED);
  });

  test.skipIf(!PYTHON)('in Python', () => {
    writeFileSync(path('example.py'), exampleIn('python'));
    expect(shell(`PATH=$PWD:$PATH ${PYTHON} example.py`)).toEqual(EXPECTED);
  });
});

test('the blocks of a newer filter of networks are looked up for prefixes that were looked up before', async () => {
  const block = async (cidr: string, ...flags: readonly string[]) =>
    within([
      'build',
      '--prefixes',
      '-n',
      '9',
      '-p',
      '1e-9',
      '-e',
      cidr,
      '-e',
      '9.9.9.9',
      ...flags,
      '-o',
      'next',
      '--force',
    ]);
  const turn = async (...args: Parameters<typeof block>) => {
    await block(...args);
    renameSync(path('next'), path('nets.bloom'));
  };
  await turn('10.1.0.0/16');
  const { ask, end } = talk('nets.bloom');
  const addresses = '10.1.2.3\n10.2.2.3\n9.9.9.9\n';
  expect(await ask(addresses, 3)).toEqual(['+10.1.2.3', '-10.2.2.3', '+9.9.9.9']);
  await turn('10.2.0.0/16');
  expect(await ask(addresses, 3)).toEqual(['-10.1.2.3', '+10.2.2.3', '+9.9.9.9']);
  await turn('10.1.0.0/16');
  expect(await ask(addresses, 3)).toEqual(['+10.1.2.3', '-10.2.2.3', '+9.9.9.9']);
  expect(await end()).toEqual({ status: 0, stderr: '' });
});
