// The command with threads, on inputs that are large enough for them.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG, inLongRuns } from '../long.ts';
import type { Outcome } from '../starter.ts';
import { threadScratch } from './run.ts';

const { bloom, path, shell, start, threadsStarted, within } = threadScratch();

/** The number of threads that read regular files; three read other inputs. Each takes about as long to start as the command. */
const READERS = inLongRuns('3', '2');

/** Numbers as lines: 36 MB, more than bloom needs to start threads. */
const FIRST = 1_000_000;
const LINE_BYTES = inLongRuns(16, 4000);
const COUNT = 36_000_000 / LINE_BYTES;
const recordOf = (number: number) => String(number).padStart(LINE_BYTES - 1, '0');
/** Fifty of them are members. A rate of 1e-9 makes false positives improbable. */
const STEP = COUNT / 50;
const MEMBERS = Array.from({ length: 50 }, (_, i) => recordOf(FIRST + STEP * i));
const lines = (records: readonly unknown[]) => records.map((record) => `${record}\n`).join('');

/** Runs a command with threads. By default it runs in this process, where less than a chunk is enough to start them. */
const run = (...args: string[]): Outcome | Promise<Outcome> =>
  IS_LONG ? bloom(args) : within(args, { chunk: 2 ** 20 });

beforeAll(async () => {
  shell(`seq -f %0${LINE_BYTES - 1}.0f ${FIRST} ${FIRST + COUNT - 1} > big`);
  writeFileSync(path('members'), lines(MEMBERS));
  writeFileSync(path('small'), `no\n${MEMBERS[1]}\nnever`);
  await within(['build', '-p', '1e-9', 'members', '-o', 'members.bloom']);
  await within(['build', '-n', '10', '-p', '1e-9', '/dev/null', '-o', 'none.bloom']);
  bloom(['query', '-q', 'members.bloom', 'small']);
  expect(threadsStarted(), 'a small input needs no threads').toBe(0);
});

test.runIf(IS_LONG)('the bytes of a filter are the same with any number of threads, from files and from a pipe', () => {
  const bytes = (name: string, args: string) => {
    threadsStarted();
    expect(shell(`${args} -o ${name}`).status).toBe(0);
    return readFileSync(path(name));
  };
  for (const flags of ['-n 5M', '-f 1']) {
    const alone = bytes('1.bloom', `$BLOOM build --force ${flags} --threads 1 big small`);
    expect(threadsStarted()).toBe(0);
    for (const threads of [2, 3]) {
      const files = bytes('2.bloom', `$BLOOM build --force ${flags} --threads ${threads} big small`);
      expect(files.equals(alone)).toBe(true);
      expect(threadsStarted()).toBe(threads);
      const pipe = bytes('3.bloom', `cat big small | $BLOOM build --force ${flags} --threads ${threads}`);
      expect(pipe.equals(alone)).toBe(true);
      // With two threads, the writer of the pipe has the other core.
      expect(threadsStarted()).toBe(threads === 2 ? 0 : threads);
    }
    // No build lost a key.
    expect(bloom(['query', '-c', '--threads', '2', '1.bloom', 'big']).stdout).toBe(`${COUNT}\n`);
  }
});

test('add makes the same file with threads', async () => {
  await within(['build', '-n', '5M', 'small', '-o', 'added.bloom']);
  await within(['build', '-n', '5M', '--threads', '1', 'big', 'small', '-o', 'both.bloom']);
  expect((await run('add', '--threads', READERS, 'added.bloom', 'big')).status).toBe(0);
  expect(readFileSync(path('added.bloom')).equals(readFileSync(path('both.bloom')))).toBe(true);
});

describe('a query with threads', () => {
  afterEach(() => {
    const started = threadsStarted();
    if (IS_LONG) expect(started).toBeGreaterThan(1);
  });

  test('prints members in their order, with names and numbers', async () => {
    const expected = [
      ...MEMBERS.map((member, i) => `big:${STEP * i + 1}:${member}`),
      `small:2:${MEMBERS[1]}`,
      ...MEMBERS.map((member, i) => `big:${STEP * i + 1}:${member}`),
    ];
    for (const threads of inLongRuns(['1', '2', '3', '8'], ['1', '3'])) {
      const query = ['query', '-n', '-H', '--threads', threads, 'members.bloom', 'big', 'small', 'big'];
      // Threads print to the standard output of their process.
      const outcome = IS_LONG ? bloom(query) : await run(...query, '--output', 'printed', '--force');
      const stdout = IS_LONG ? outcome.stdout : readFileSync(path('printed'), 'utf8');
      expect(stdout === lines(expected), `${threads} threads`).toBe(true);
      expect(outcome).toMatchObject({ stderr: '', status: 0 });
    }
  });

  test.runIf(IS_LONG)('continues the numbers of a pipe that the main thread began', () => {
    const expected = MEMBERS.map((member, i) => `${STEP * i + 1}:${member}`);
    expect(shell('cat big small | $BLOOM query -n --threads 3 members.bloom').stdout).toBe(
      lines([...expected, `${COUNT + 2}:${MEMBERS[1]}`]),
    );
  });

  test('counts, in all and by file in the order of the files', async () => {
    const query = async (...args: string[]) => (await run('query', '--threads', '3', ...args)).stdout;
    if (IS_LONG)
      expect(await query('-c', '-v', 'members.bloom', 'big', 'small')).toBe(`${COUNT - MEMBERS.length + 2}\n`);
    expect(await query('-c', '-H', 'members.bloom', 'big', 'small', '/dev/null', 'small')).toBe(
      `big:${MEMBERS.length}\nsmall:1\n/dev/null:0\nsmall:1\n`,
    );
  });

  test.runIf(IS_LONG)('prints the summary', () => {
    const { stdout, stderr } = bloom([
      'query',
      '-c',
      '--summary',
      '--threads',
      READERS,
      'members.bloom',
      'big',
      'small',
    ]);
    expect(stdout).toBe(`${MEMBERS.length + 1}\n`);
    const [records, absent] = [COUNT + 3, COUNT - 48].map((count) => count.toLocaleString('en'));
    expect(stderr).toContain(`${records} records: ${absent} absent`);
    expect(stderr).toContain(' 51 maybe present');
  });

  test.runIf(IS_LONG)('with --quiet, answers only by its status', async () => {
    const query = (...args: string[]) => run('query', '-q', '--threads', READERS, ...args);
    expect(await query('members.bloom', 'big')).toEqual({ stdout: '', stderr: '', status: 0 });
    expect(await query('none.bloom', 'big')).toEqual({ stdout: '', stderr: '', status: 1 });
    if (IS_LONG) expect((await query('-v', 'none.bloom', 'big')).status).toBe(0);
  });

  test.runIf(IS_LONG)('does not wait for an input that is no longer needed', async () => {
    await within(['build', '-p', '1e-9', '-o', 'last.bloom'], { stdin: `${recordOf(FIRST + COUNT - 1)}\n` });
    shell('mkfifo idle');
    const line = 'exec 3<>idle; timeout 1200 $BLOOM query -q --threads 3 last.bloom big idle nowhere';
    expect(shell(line)).toEqual({ stdout: '', stderr: '', status: 0 });
  });

  test('reports each unreadable input once, reads the others and ends with 2', async () => {
    const inputs = ['gone', 'big', '.', 'big', 'gone2'];
    expect(await run('query', '-c', '--threads', '3', 'members.bloom', ...inputs)).toEqual({
      stdout: `${2 * MEMBERS.length}\n`,
      stderr:
        'bloom: cannot read gone: no such file or folder; try bloom query -c --threads 3 members.bloom -e gone big . big -e gone2\n' +
        'bloom: cannot read .: is a directory\n' +
        'bloom: cannot read gone2: no such file or folder\n',
      status: 2,
    });
  });

  test('ends quietly if its reader ends', () => {
    const outcome = shell(`($BLOOM query -v --threads ${READERS} members.bloom big big; echo $? >&2) | head -n 1`);
    expect(outcome).toMatchObject({ stdout: `${recordOf(FIRST + 1)}\n`, stderr: '0\n' });
  });

  test.runIf(IS_LONG)('ends if its reader ends, even if a decoder still has output', () => {
    const program = "mkdir programs; printf '#!/bin/sh\\nexec yes nothing\\n' > programs/xz; chmod 755 programs/xz";
    shell(`${program}; printf '\\xfd7zXZ\\0...' > endless.xz`);
    const line = `timeout 1200 $BLOOM query -v --threads ${READERS} members.bloom endless.xz big`;
    const outcome = shell(`PATH=$PWD/programs:$PATH; (${line}; echo $? >&2) | head -n 1`);
    expect(outcome).toMatchObject({ stdout: 'nothing\n', stderr: '0\n' });
  });

  test.runIf(IS_LONG)('measures with random keys', () => {
    const { stdout } = bloom(['stats', '--json', '--threads', READERS, '--probes', '1234567', 'members.bloom']);
    expect(JSON.parse(stdout).measuredFpr).toMatchObject({ probes: 1_234_567, positives: 0 });
  });
});

describe.runIf(IS_LONG)('a pipe that pauses after the threads were started', () => {
  const NOTHING = `${'nothing'.padEnd(LINE_BYTES - 1)}\n`;
  const NOTHINGS = Math.ceil((40 * 2 ** 20) / LINE_BYTES);

  afterEach(() => expect(threadsStarted()).toBe(3));

  /** Starts a query, and writes many non-members to it. */
  async function fed(flags: readonly string[]): Promise<ChildProcess> {
    const child = start(['query', '--threads', '3', ...flags, 'members.bloom']);
    const isTaken = child.stdin?.write(NOTHING.repeat(NOTHINGS));
    if (isTaken === false && child.stdin) await once(child.stdin, 'drain');
    return child;
  }

  test('is answered at once', async () => {
    const child = await fed(['-n']);
    const { stdin, stdout } = child;
    if (stdin === null || stdout === null) throw new Error('no pipes');
    for (let i = 0; i < 3; i++) {
      stdin.write(`${MEMBERS[i]}\n`);
      expect(String((await once(stdout, 'data'))[0])).toBe(`${NOTHINGS + 1 + i}:${MEMBERS[i]}\n`);
    }
    stdin.end(`${MEMBERS[3]}`);
    expect(String((await once(stdout, 'data'))[0])).toBe(`${NOTHINGS + 4}:${MEMBERS[3]}\n`);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('is not awaited if one match was enough', async () => {
    const child = await fed(['-q']);
    child.stdin?.write(`${MEMBERS[5]}\n`);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('a damaged filter', () => {
  /** A copy with one flipped bit in a segment. */
  const damage = (from: string, to: string, at: number) => {
    const bytes = readFileSync(path(from));
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path(to), bytes);
  };

  test.each(['1', READERS])('of one segment gives no answer with %s threads', async (threads) => {
    damage('members.bloom', 'damaged.bloom', 130);
    for (const flags of inLongRuns([['--tag'], ['-q', '-v'], ['-v'], ['-c'], ['-c', '-H', '-v']], [['-q', '-v']])) {
      const query = ['query', ...flags, '--threads', threads, 'damaged.bloom', 'big'];
      expect(threads === '1' ? await within(query) : await run(...query)).toEqual({
        stdout: '',
        stderr:
          'bloom: damaged.bloom is damaged: segment 1 of 1 does not match its checksum (header and table are intact); restore a copy, or build it again\n',
        status: 2,
      });
    }
  });

  test('of several segments ends a query with one error', async () => {
    await within(['build', '-n', '5M', 'small', '-o', 'large.bloom']);
    const segmentBits = readFileSync(path('large.bloom')).readUInt32LE(44);
    damage('large.bloom', 'damaged-large.bloom', 128 + (5 * segmentBits) / 8 + 1000);
    for (const threads of ['1', READERS])
      for (const flags of inLongRuns([[], ['-c'], ['--json']], [[]])) {
        const query = ['query', ...flags, '--threads', threads, 'damaged-large.bloom', 'big'];
        const { stderr, status } = threads === '1' ? await within(query) : await run(...query);
        expect(stderr).toMatch(/^bloom: damaged-large\.bloom is damaged: segment 6 of 12 .*\n$/);
        expect(status).toBe(2);
      }
  });
});

describe('a thread that dies', () => {
  const WAYS = {
    exit: 'process.exit(0)',
    'an uncaught exception': 'throw new Error("boom")',
    'want of memory': 'const held = []; for (;;) held.push(new Array(1e6).fill(held.length));',
  };
  beforeAll(() => {
    for (const [name, way] of Object.entries(WAYS)) {
      // The first thread dies at its first piece of the input, as it might not get a later one.
      const text = `
        const { isMainThread, parentPort, workerData } = require('node:worker_threads');
        if (!isMainThread && workerData.threadIndex === 1) {
          parentPort.on('message', ({ type }) => { if (type === 'scan') { ${way} } });
        }`;
      writeFileSync(path(`${name.replaceAll(' ', '-')}.cjs`), text);
    }
  });

  // By default the test of a changed filter below covers a thread that exits.
  const ways = Object.keys(WAYS);
  test.each(inLongRuns(ways, ways.slice(1, 2)))(
    'by %s ends the command with one error and without an output',
    (way) => {
      const env = { NODE_OPTIONS: `--max-old-space-size=60 --require=./${way.replaceAll(' ', '-')}.cjs` };
      const before = readdirSync(path('.'));
      const commands = [
        ['query', '-v', '--threads', '2', 'members.bloom', 'big'],
        ['build', '--threads', '2', 'big', '-o', 'never.bloom'],
        ['build', '-n', '5M', '--threads', '2', 'big', '-o', 'never.bloom'],
        ['query', '-c', '--threads', '2', 'members.bloom', 'big'],
      ];
      for (const args of inLongRuns(commands, commands.slice(0, 1))) {
        const { stderr, status } = bloom(args, { env });
        expect(stderr).toMatch(
          /^bloom: a thread has failed: .*; run the command again with fewer --threads or more memory\n$/,
        );
        expect(status).toBe(2);
      }
      expect(readdirSync(path('.'))).toEqual(before);
    },
  );

  test('does not change the filter that was to be changed', async () => {
    await within(['build', '-n', '5M', 'small', '-o', 'changed.bloom']);
    const before = readFileSync(path('changed.bloom'));
    const env = { NODE_OPTIONS: `--require=./exit.cjs` };
    expect(bloom(['add', '--threads', '2', 'changed.bloom', 'big'], { env }).status).toBe(2);
    expect(readFileSync(path('changed.bloom')).equals(before)).toBe(true);
  });
});

describe('if the system does not start all threads', () => {
  /** Runs a line in which only this many threads start. The command must not wait for the others. */
  const limited = (threads: number, line: string) => {
    writeFileSync(
      path('limited.cjs'),
      `const threads = require('node:worker_threads');
      let left = ${threads};
      threads.Worker = class extends threads.Worker {
        constructor(...args) {
          if (left-- <= 0) throw new Error('EAGAIN');
          super(...args);
        }
      };
      require('node:module').syncBuiltinESMExports();`,
    );
    return shell(`export NODE_OPTIONS=--require=./limited.cjs; timeout 1200 ${line}`);
  };

  test.runIf(IS_LONG)('the others do the work', async () => {
    const expected = { stdout: `${MEMBERS.length}\n`, stderr: '', status: 0 };
    for (const source of ['big', '<(cat big)'])
      expect(limited(1, `$BLOOM query -c --threads 3 members.bloom ${source}`)).toEqual(expected);
    await within(['build', '-n', '5M', '--kind', 'ribbon', '--threads', '1', 'big', '-o', 'all.bloom']);
    expect(limited(1, `$BLOOM build -n 5M --kind ribbon --threads 3 big -o few.bloom`).status).toBe(0);
    expect(readFileSync(path('few.bloom')).equals(readFileSync(path('all.bloom')))).toBe(true);
  });

  test('and none at all is an error', () => {
    const lines = ['query -c --threads 2 members.bloom', 'build --threads 2 -o never.bloom'];
    for (const line of inLongRuns(lines, lines.slice(0, 1))) {
      expect(limited(0, `$BLOOM ${line} big`)).toEqual({
        stdout: '',
        stderr: 'bloom: no thread can be started: EAGAIN; use --threads 1, or allow more threads with ulimit -u\n',
        status: 2,
      });
    }
  });
});

test.runIf(IS_LONG)('dedup prints the same with any number of threads, from files and from a pipe', () => {
  // The second file has the records in reverse order, and some new ones.
  shell('(tac big; seq -f x%06.0f 1000) > again');
  const expected = shell('cat big <(seq -f x%06.0f 1000) | md5sum').stdout;
  const repeated = shell('tac big | md5sum').stdout;
  const [records, firsts] = [2 * COUNT + 1000, COUNT + 1000];
  for (const threads of [1, 2, 3, 8]) {
    threadsStarted();
    const dedup = `$BLOOM dedup -n 5M -p 1e-9 --threads ${threads}`;
    const { stdout, stderr } = shell(`${dedup} --summary --json big again | md5sum`);
    expect(stdout).toBe(expected);
    expect(JSON.parse(stderr)).toMatchObject({
      records,
      keys: records,
      printed: firsts,
      dropped: COUNT,
      firstSightings: firsts,
    });
    expect(threadsStarted()).toBe(threads === 1 ? 0 : threads);
    expect(shell(`cat big again | ${dedup} --repeated | md5sum`).stdout).toBe(repeated);
  }
});
