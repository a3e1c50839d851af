// A file keeps what dedup has seen: several runs act as one run, whatever runs at the same time, and however a run ends.

import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { IS_LONG, inLongRuns } from '../long.ts';
import { payloadOf } from '../reference/bloom-bits.ts';
import { fileOf } from '../reference/bloom-file.ts';
import { below, createRandom } from '../reference/random.ts';
import { stateFile } from '../reference/state-file.ts';
import type { Outcome } from '../starter.ts';
import { scratch, writeUntilRead } from './run.ts';

const { bloom, path, shell, start, within } = scratch();
afterEach(() => {
  for (const name of readdirSync(path('.'))) rmSync(path(name), { recursive: true });
});

const lines = (records: readonly string[]) => records.map((record) => `${record}\n`).join('');
const leftovers = () => readdirSync(path('.')).filter((name) => name.startsWith('.'));

const random = createRandom(16);
const RECORDS = Array.from({ length: 3000 }, () => `key ${below(random, 1200)}`);

describe('runs that continue each other print the output of one run', () => {
  const flagsOfRuns: readonly (readonly string[])[] = [
    [],
    ['-n', '2k'],
    ['-n', '100', '--kind', 'scalable'],
    ['-n', '2k', '--kind', 'blocked'],
    ['-n', '9k', '--kind', 'counting', '--repeated'],
    ['-n', '2k', '--kind', 'cuckoo'],
    ['-n', '2k', '--kind', 'quotient', '--min-count', '3'],
    ['--min-count', '3'],
    ['--window', '100', '--keep', '3'],
    ['--window', '100', '--keep', '2', '--min-count', '2'],
    ['--window', '7d', '-n', '2k', '--keep', '0'],
    ['--window', '700', '--kind', 'scalable', '-p', '1e-9'],
    ['--window', '7d'],
    ['-m', '100k'],
  ];
  test.each(flagsOfRuns.map((flags) => [flags]))('%j', async (flags) => {
    const whole = await within(['dedup', ...flags], { stdin: lines(RECORDS) });
    const shares = [RECORDS.slice(0, 1501), [], RECORDS.slice(1501)];
    const parts: Outcome[] = [];
    for (const records of inLongRuns([RECORDS.slice(0, 1), RECORDS.slice(1, 1501), ...shares.slice(1)], shares)) {
      const run = ['dedup', '--state', 'seen', '--every', '500', ...flags];
      parts.push(await within(run, { stdin: lines(records) }));
    }
    expect(parts.map(({ stderr, status }) => ({ stderr, status }))).toEqual(
      parts.map(() => ({ stderr: '', status: 0 })),
    );
    expect(parts.map(({ stdout }) => stdout).join('')).toBe(whole.stdout);
    expect(leftovers()).toEqual([]);
  });
});

test.each([
  ['--window', '100'],
  ['--window', '100', '--keep', '0'],
  ['--window', '100', '-n', '50', '--min-count', '2'],
])('a state of the first window is continued: %s %s', async (...flags) => {
  const run = (stdin: string) => within(['dedup', '--state', 'first', ...flags], { stdin });
  const whole = (await within(['dedup', ...flags], { stdin: 'a\nb\nb\na\nc\n' })).stdout;
  expect((await run('a\nb\n')).stdout + (await run('b\na\nc\n')).stdout).toBe(whole);
});

test('a state of one filter is a filter', async () => {
  await within(['dedup', '--state', 'seen', '-n', '1k'], { stdin: 'a\nb\n' });
  expect((await within(['query', 'seen', '-e', 'a', '-e', 'c'])).stdout).toBe('a\n');
  expect(JSON.parse((await within(['stats', '--json', '--probes', '0', 'seen'])).stdout)).toMatchObject({
    inserted: 2,
    capacity: 1000,
  });
  await within(['add', 'seen', '-'], { stdin: 'c\n' });
  expect((await within(['dedup', '--state', 'seen'], { stdin: 'a\nc\nd\n' })).stdout).toBe('d\n');
});

test('a state with a higher rate than dedup would choose causes a warning, and is continued', async () => {
  await within(['build', '-n', '1k', '-o', 'built.bloom'], { stdin: 'a\n' });
  const run = async () => await within(['dedup', '--state', 'built.bloom'], { stdin: 'a\nb\n' });
  expect(await run()).toEqual({
    stdout: 'b\n',
    stderr:
      'bloom: warning: built.bloom has a false-positive rate of 1.00 %, so about 1.00 % of new records are dropped; a state made by dedup has 0.000100 %\n',
    status: 0,
  });
  expect((await run()).stdout).toBe('');
});

test('a state with more keys than its capacity causes a warning in each run, with the share of dropped new records', async () => {
  const range = (from: number) => Array.from({ length: 20_000 }, (_, i) => `${from + i}\n`).join('');
  const run = async (from: number) =>
    await within(['dedup', '-n', '1k', '--state', 'small', '--summary', '--json'], { stdin: range(from) });
  const warning = /^bloom: warning: small was sized for 1,000 keys and got \d,\d+ or more: it drops 100 % of new keys/;
  const first = await run(0);
  expect(first.stderr).toMatch(warning);
  const second = await run(50_000);
  expect(second.stderr).toMatch(warning);
  // Every record is new.
  const { dropped, mostFalsePositives } = JSON.parse(second.stderr.split('\n')[1] ?? '');
  expect([dropped, mostFalsePositives]).toEqual([20_000, 20_000]);
  expect((await within(['add', '--strict', 'small'], { stdin: '1\n' })).status).toBe(2);
});

test('a growing filter continues where it ended, also as one of several', async () => {
  const sizes = ['-n', '1k', '--kind', 'scalable', '-p', '1%'];
  const numbers = Array.from({ length: 4000 }, (_, i) => `${i + 1}`);
  for (const [from, to] of [
    [0, 900],
    [900, 1500],
    [1500, 4000],
  ]) {
    const stdin = lines(numbers.slice(from, to));
    await within(['dedup', '--state', 'several', '--repeated', ...sizes], { stdin });
    await within(['dedup', '--state', 'one', ...sizes], { stdin });
  }
  const again = await within(['dedup', '--repeated', '--state', 'several', '-c'], { stdin: lines(numbers) });
  expect(again.stdout).toMatch(/^39\d\d\n$|^4000\n$/);
  // The head of the file takes 64 bytes, and the filters follow.
  shell(
    'tail -c +65 several > both; head -c $((128 + $(od -A n -t u8 -j 72 -N 8 both) + 16 * $(od -A n -t u4 -j 40 -N 4 both) + 8)) both > first',
  );
  for (const name of ['one', 'first']) {
    const { measuredFpr, targetFpr, inserted } = JSON.parse(
      (await within(['stats', '--json', '--probes', '100k', name])).stdout,
    );
    expect(inserted).toBeGreaterThan(3900);
    expect(measuredFpr.low).toBeLessThan(targetFpr);
  }
});

test('a state of several filters is refused where one filter is expected', async () => {
  await within(['dedup', '--state', 'seen', '--window', '10'], { stdin: 'a\nb\n' });
  for (const args of [
    ['query', 'seen', '-e', 'a'],
    ['stats', 'seen'],
    ['add', 'seen', '-'],
    ['merge', 'seen', '-o', 'x'],
  ]) {
    const { stderr, status } = await within(args);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^bloom: seen is a state of bloom dedup with several filters .*\n$/);
  }
});

describe('refused, and unchanged', () => {
  const BASE = ['--window', '1h', '-n', '50', '--keep', '2'];
  const others: readonly (readonly [readonly string[], string])[] = [
    [
      ['--window', '2h', '-n', '50', '--keep', '2'],
      'has windows of 60 min 00 s of which 2 are kept, not windows of 120 min 00 s',
    ],
    [['--window', '1h', '-n', '50'], 'has windows of 60 min 00 s of which 2 are kept, not windows'],
    [['-n', '50'], 'not no windows'],
    [[...BASE, '--repeated'], 'remembers 1 sighting of a key, not 2 sightings of a key'],
    [[...BASE, '-i'], 'was made with another --ignore-case'],
    [[...BASE, '--hash', 'murmur3'], 'was made with another --hash'],
    [['--window', '1h', '-n', '51', '--keep', '2'], 'was made with other flags of the kind or the size'],
    [[...BASE, '-p', '1%'], 'was made with other flags of the kind or the size'],
    [[...BASE, '--kind', 'blocked'], 'was made with other flags of the kind or the size'],
  ];
  test.each(others)('a state that %j did not make', async (flags, message) => {
    await within(['dedup', '--state', 'seen', ...BASE], { stdin: 'a\n' });
    const before = readFileSync(path('seen'));
    const { stdout, stderr, status } = await within(['dedup', '--state', 'seen', ...flags], { stdin: 'b\n' });
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toMatch(/^bloom: seen .*\n$/);
    expect(stderr).toContain(message);
    expect(readFileSync(path('seen')).equals(before)).toBe(true);
    expect(leftovers()).toEqual([]);
  });

  test.each([
    ['text', () => writeFileSync(path('seen'), 'text\n'), 'is not a filter'],
    ['an empty file', () => writeFileSync(path('seen'), ''), 'seen is empty, not a filter'],
    [
      'a fuse filter',
      () => within(['build', '--kind', 'fuse', '-', '-o', 'seen'], { stdin: 'a\n' }),
      'and no key can be added to it',
    ],
    ['a folder', () => shell('mkdir seen'), 'seen is not a regular file'],
    [
      'a file that is protected',
      async () => {
        await within(['dedup', '--state', 'seen'], { stdin: 'a\n' });
        chmodSync(path('seen'), 0o444);
      },
      'seen is write-protected',
    ],
  ])('%s', async (_, make, message) => {
    await make();
    const { stderr, status, stdout } = await within(['dedup', '--state', 'seen'], { stdin: 'b\n' });
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toContain(message);
  });

  test('flags without effect, and impossible flags', async () => {
    expect((await within(['dedup', '--every', '1M'])).stderr).toContain(
      '--every has no effect: without --state nothing is saved',
    );
    expect((await within(['dedup', '--state', '-'])).stderr).toContain('the state cannot go to standard output');
    writeFileSync(path('in'), 'a\n');
    expect(await within(['dedup', '--state', 'in', 'in'])).toMatchObject({ stdout: '', status: 2 });
  });
});

test('the second of two runs is refused before it prints anything, and the first loses nothing', async () => {
  await within(['dedup', '--state', 'seen'], { stdin: 'a\n' });
  const first = start(['dedup', '--state', 'seen']);
  await writeUntilRead(first, 'b\n');
  const { stdout, stderr, status } = await within(['dedup', '--state', 'seen'], { stdin: 'b\nc\n' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr).toBe(
    `bloom: seen is in use by another bloom, process ${first.pid}; run the command again when that process has ended\n`,
  );
  first.stdin?.end('d\n');
  expect(await once(first, 'exit')).toEqual([0, null]);
  expect((await within(['dedup', '--state', 'seen'], { stdin: 'a\nb\nc\nd\n' })).stdout).toBe('c\n');
});

test.runIf(IS_LONG)('a state that another program replaced meanwhile is not changed', async () => {
  await within(['dedup', '--state', 'seen'], { stdin: 'a\n' });
  const running = start(['dedup', '--state', 'seen']);
  await writeUntilRead(running, 'b\n');
  await within(['add', 'seen', '-'], { stdin: 'other\n' });
  const theirs = readFileSync(path('seen'));
  running.stdin?.end();
  expect(await once(running, 'exit')).toEqual([3, null]);
  expect(readFileSync(path('seen')).equals(theirs)).toBe(true);
  expect(leftovers()).toEqual([]);
});

test('if the reader ends early, the state is unchanged, and the status shows it', async () => {
  await within(['dedup', '--state', 'seen'], { stdin: 'a\n' });
  const before = readFileSync(path('seen'));
  const { stdout, stderr } = shell('seq 1000000 | { $BLOOM dedup --state seen; echo $? >&2; } | head -n 1');
  expect({ stdout, stderr }).toEqual({ stdout: '1\n', stderr: '2\n' });
  expect(readFileSync(path('seen')).equals(before)).toBe(true);
});

test.runIf(IS_LONG)('another name of the file means the same state', async () => {
  await within(['dedup', '--state', 'seen'], { stdin: 'a\n' });
  shell('mkdir links; ln -s ../seen links/other');
  const first = start(['dedup', '--state', 'seen']);
  await writeUntilRead(first, 'b\n');
  expect(await within(['dedup', '--state', 'links/other'], { stdin: 'c\n' })).toMatchObject({ stdout: '', status: 2 });
  first.stdin?.end();
  await once(first, 'exit');
  expect((await within(['dedup', '--state', 'links/other'], { stdin: 'b\nc\n' })).stdout).toBe('c\n');
  expect(shell('readlink links/other').stdout).toBe('../seen\n');
  expect((await within(['dedup', '--state', 'seen'], { stdin: 'c\n' })).stdout).toBe('');
});

test('a signal leaves the state unchanged, and no other file', async () => {
  await within(['dedup', '--state', 'seen'], { stdin: 'a\n' });
  const before = readFileSync(path('seen'));
  const running = start(['dedup', '--state', 'seen']);
  await writeUntilRead(running, 'b\n');
  expect(leftovers()).toEqual(['.seen.holder']);
  running.kill('SIGTERM');
  expect(await once(running, 'exit')).toEqual([null, 'SIGTERM']);
  expect(readFileSync(path('seen')).equals(before)).toBe(true);
  expect(leftovers()).toEqual([]);
});

describe('killed at any time', () => {
  const ROUNDS = inLongRuns(15, 2);
  // The run writes output and state all the time: all records differ, and each twentieth of them is followed by a new state.
  const COUNT = inLongRuns(200_000, 20_000);
  const RUN = ['dedup', '--state', 'seen', '-n', `${COUNT}`, '--every', `${COUNT / 20}`, 'in'];

  test('a repeated run prints the lost records, and no unprinted record is known', async () => {
    shell(`seq ${COUNT} > in`);
    await within(['dedup', '--state', 'old', '-n', `${COUNT}`], { stdin: 'first\n' });
    const began = performance.now();
    copyFileSync(path('old'), path('seen'));
    // A process of its own, like the killed ones.
    expect(bloom(RUN).status).toBe(0);
    const took = performance.now() - began;
    const kills = createRandom(7);
    for (let round = 0; round < ROUNDS; round++) {
      copyFileSync(path('old'), path('seen'));
      const child = start(RUN);
      let printed = '';
      child.stdout?.setEncoding('utf8').on('data', (text) => {
        printed += text;
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), below(kills, Math.ceil(1.2 * took)));
      await once(child, 'close');
      clearTimeout(timer);

      // The reader has read all output. The last line may be cut, and does not count.
      const known = new Set(printed.split('\n').slice(0, -1));
      const again = await within(RUN);
      expect({ status: again.status, stderr: again.stderr }).toEqual({ status: 0, stderr: '' });
      for (const record of again.stdout.split('\n')) known.add(record);
      known.delete('');
      expect(known.size).toBe(COUNT);
      expect((await within(RUN)).stdout).toBe('');
    }
  });
});

test('printed records are on the disk before they are known', () => {
  writeFileSync(
    path('noting.cjs'),
    `const fs = require('node:fs'), { writeSync, fsyncSync, renameSync, linkSync } = fs;
    const note = (what) => fs.appendFileSync('calls', what + '\\n');
    fs.writeSync = (fd, ...rest) => { if (fd === 1) note('printed'); return writeSync(fd, ...rest); };
    fs.fsyncSync = (fd) => { if (fd === 1) note('synced'); return fsyncSync(fd); };
    fs.renameSync = (...names) => { note('kept'); return renameSync(...names); };
    fs.linkSync = (...names) => { note('kept'); return linkSync(...names); };`,
  );
  shell(
    'seq 100000 > in; NODE_OPTIONS="--require ./noting.cjs" $BLOOM dedup --state seen -n 100k --every 30k in > out',
  );
  const calls = readFileSync(path('calls'), 'utf8')
    .replaceAll('printed\nprinted\n', 'printed\n')
    .replaceAll('printed\nprinted\n', 'printed\n');
  expect(calls).toMatch(/^((printed\n)*synced\nkept\n){2,}$/);
  expect(calls.startsWith('printed\n')).toBe(true);
});

/** Resolves when the content of a file differs from that before. */
async function changed(name: string, before: Buffer | undefined): Promise<Buffer> {
  const watcher = watch(path('.'));
  try {
    for (;;) {
      const now = existsSync(path(name)) ? readFileSync(path(name)) : undefined;
      if (now !== undefined && (before === undefined || !now.equals(before))) return now;
      await once(watcher, 'change', { signal: AbortSignal.timeout(20_000) });
    }
  } finally {
    watcher.close();
  }
}

test('the state is saved in time even if no more records come', async () => {
  const running = start(['dedup', '--state', 'seen', '-n', '1k', '--every', '0.05s']);
  running.stdin?.write('a\n');
  const first = await changed('seen', undefined);
  running.stdin?.write('b\n');
  await changed('seen', first);
  running.kill('SIGKILL');
  await once(running, 'exit');
  expect((await within(['dedup', '--state', 'seen'], { stdin: 'a\nb\nc\n' })).stdout).toBe('c\n');
});

test('windows of time that have passed since are removed', async () => {
  const hour = 3_600_000;
  const flags = ['--window', '1h', '--keep', '2', '-n', '100'];
  await within(['dedup', '--state', 'seen', ...flags], { stdin: 'now\n' });
  const made = readFileSync(path('seen')).subarray(64);
  const header = { segments: made.readUInt32LE(40), segmentBits: made.readUInt32LE(44), k: made.readUInt32LE(20) };
  const filterOf = (key: string, seed = 0n) => {
    const rules = { ...header, hash: 'xxh64', seed, ignoreCase: false, trim: false } as const;
    const fields = { ...rules, kind: 1, capacity: 100, targetFpr: made.readDoubleLE(56), inserted: 1 };
    return fileOf({ ...fields, payload: payloadOf([new Uint8Array(Buffer.from(key))], rules) });
  };
  const keys = ['three', 'two', 'one', 'this'];
  const ago = (hours: number) => Math.floor(Date.now() / hour) - hours;
  const fields = { sightings: 1, divided: 2, length: hour, keep: 2, records: 0 };
  writeFileSync(
    path('seen'),
    stateFile(
      { ...fields, numbers: [ago(3), ago(2), ago(1)] },
      keys.slice(0, 3).map((key) => filterOf(key)),
    ),
  );
  expect((await within(['dedup', '--state', 'seen', ...flags], { stdin: lines(keys) })).stdout).toBe('three\nthis\n');
  writeFileSync(
    path('seen'),
    stateFile(
      { ...fields, numbers: [ago(2), ago(1), ago(0)] },
      keys.slice(1).map((key) => filterOf(key)),
    ),
  );
  expect((await within(['dedup', '--state', 'seen', ...flags], { stdin: lines(keys) })).stdout).toBe('three\n');
  const mixed = [filterOf('one'), filterOf('this', 1n)];
  writeFileSync(path('seen'), stateFile({ ...fields, numbers: [ago(1), ago(0)] }, mixed));
  expect(await within(['dedup', '--state', 'seen', ...flags], { stdin: lines(keys) })).toMatchObject({
    ...{ stdout: '', status: 2 },
    stderr: expect.stringContaining('it is not of the same kind, size and rules as the first filter'),
  });
});
