// Filters larger than the memory that they may use. Queries and reports load them part by part, and print the same as in memory.

import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import * as threadMemory from '../../src/engine/thread-memory.ts';
import { canBeUsed, KINDS } from '../../src/filters/registry.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { scratch } from './run.ts';

const { path, shell, within } = scratch();

/** Kinds whose segments are selected by digests; only some of them have small segments. */
const KINDS_OF_SEGMENTS = inLongRuns(
  KINDS.filter(({ growing }) => growing === undefined).map(({ name }) => name),
  ['bloom', 'counting'],
);
const KEYS = inLongRuns(400_000, 40_000);
const SEGMENTS = inLongRuns([], ['--segment-size', '16KiB']);

const CHANGEABLE = KINDS_OF_SEGMENTS.filter((kind) => KINDS.some((one) => one.name === kind && canBeUsed(one, 'add')));
const ADDED = KEYS / 10;

beforeAll(async () => {
  shell(`seq ${-2 * ADDED} -1 > more`);
  shell(`seq 1 2 ${2 * KEYS - 1} > odd; seq ${2 * KEYS} > all; seq 5 5 ${KEYS} | sed 's/.*/& 7 x&/' > pairs`);
  for (const kind of KINDS_OF_SEGMENTS) {
    const args = ['-n', `${2 * KEYS}`, '--kind', kind, ...SEGMENTS, 'odd', '-o', `${kind}.bloom`];
    expect((await within(['build', ...args])).status).toBe(0);
  }
});

/** Less memory than a segment needs. */
const LITTLE = ['--memory', '10kB'];

describe.each(KINDS_OF_SEGMENTS)('a %s filter', (kind) => {
  const file = `${kind}.bloom`;

  test('has several segments, and finds every key', async () => {
    const { description, close } = await openFilterFile(path(file), 'report');
    close();
    expect(description.shape.segments).toBeGreaterThan(1);
    expect((await within(['query', '-c', ...LITTLE, file, 'odd'])).stdout).toBe(`${KEYS}\n`);
    const { stdout } = await within(['stats', '--json', '--present', 'odd', '--probes', '1000', ...LITTLE, file]);
    expect(JSON.parse(stdout)).toMatchObject({ present: { records: KEYS, missing: 0 }, measuredFpr: { probes: 1000 } });
  });

  test.each([
    ['-v', 'all'],
    ['-c', '-H', 'all', 'pairs'],
    ['-c', '-F', 'counting.bloom', 'all'],
    ['--tokens', 'words', '--summary', '-n', 'pairs'],
    ['--all-fields', '-f', '1,2', 'pairs', 'missing'],
    ['-m', '3', 'all', 'pairs'],
    ['-l', 'pairs', 'odd'],
    ['-q', 'odd'],
    ['--json', '-F', file, '--which', 'pairs'],
  ])('query %s %s %s prints the same as in memory', async (...args) => {
    const whole = await within(['query', file, ...args]);
    const { stderr, ...inParts } = await within(['query', ...LITTLE, file, ...args]);
    // Messages repeat the command line.
    expect({ ...inParts, stderr: stderr.replace(`${LITTLE.join(' ')} `, '') }).toEqual(whole);
  });
});

test.each(CHANGEABLE)('an addition to a %s filter makes the same file as in memory', async (kind) => {
  for (const args of [[], LITTLE]) {
    copyFileSync(path(`${kind}.bloom`), path('changed.bloom'));
    const { stderr, status } = await within(['add', '--threads', '1', ...args, 'changed.bloom', 'more', 'pairs']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('changed.bloom: added ') });
    expect(stderr).toContain(`; now ${(KEYS + 4 * ADDED).toLocaleString('en')} keys`);
    renameSync(path('changed.bloom'), path(args.length === 0 ? 'whole.bloom' : 'parts.bloom'));
  }
  expect(readFileSync(path('parts.bloom')).equals(readFileSync(path('whole.bloom')))).toBe(true);
  expect((await within(['query', '-c', 'parts.bloom', 'odd', 'more'])).stdout).toBe(`${KEYS + 2 * ADDED}\n`);
});

test('an addition that is too large does not change the file', async () => {
  await within(['build', '-n', `${2 * KEYS}`, '--kind', 'cuckoo', 'odd', '-o', 'cuckoo.full']);
  shell(`seq ${2 * KEYS + 1} ${5 * KEYS} > many`);
  const before = readFileSync(path('cuckoo.full'));
  expect(await within(['add', '--memory', '100kB', 'cuckoo.full', 'many'])).toEqual({
    stdout: '',
    stderr: 'bloom: nothing was written: the filter is full; build it again with a larger -n\n',
    status: 2,
  });
  expect(readFileSync(path('cuckoo.full')).equals(before)).toBe(true);
});

test('records from a pipe are kept', async () => {
  const { stdout } = await within(['query', 'bloom.bloom', 'all']);
  const stdin = shell('cat all').stdout;
  expect((await within(['query', ...LITTLE, 'bloom.bloom'], { stdin, isPiped: true })).stdout).toBe(stdout);
});

test('a damaged segment is named by its number in the filter', async () => {
  const { description, close } = await openFilterFile(path('bloom.bloom'), 'report');
  close();
  const { segments, segmentBits } = description.shape;
  shell(`head -c -${segments * 16 + segmentBits / 16} bloom.bloom > cut; cp bloom.bloom damaged.bloom
    printf 'damage' | dd of=damaged.bloom bs=1 conv=notrunc seek=$(stat -c %s cut) status=none`);
  const { stdout, stderr, status } = await within(['query', ...LITTLE, 'damaged.bloom', 'all']);
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr).toContain(`segment ${segments} of ${segments} does not match its checksum`);
});

/** So little memory allows one thread alone. Here the limit is off, and all threads run. */
async function withThreads(threads: number, args: readonly string[]) {
  const spy = vi.spyOn(threadMemory, 'threadsWithin').mockImplementation((count) => count);
  try {
    return await within([...args, '--threads', `${threads}`], { chunk: 100_000 });
  } finally {
    spy.mockRestore();
  }
}

describe.each(inLongRuns([1, 2, 3, 4, 8, 16], [3]))('with %d threads', (threads) => {
  test('a query prints the same', async () => {
    const { stdout } = await within(['query', 'bloom.bloom', 'all', 'pairs']);
    expect(await withThreads(threads, ['query', ...LITTLE, 'bloom.bloom', 'all', 'pairs'])).toEqual({
      ...{ stdout, stderr: '', status: 0 },
    });
  });

  test.runIf(IS_LONG)('an addition makes the same file', async () => {
    const made = [];
    for (const add of [
      () => within(['add', '--threads', '1', '-q', 'changed.bloom', 'more', 'pairs']),
      () => withThreads(threads, ['add', ...LITTLE, '-q', 'changed.bloom', 'more', 'pairs']),
    ]) {
      copyFileSync(path('bloom.bloom'), path('changed.bloom'));
      expect((await add()).status).toBe(0);
      made.push(readFileSync(path('changed.bloom')));
    }
    expect(made[1]?.equals(made[0] ?? Buffer.alloc(0))).toBe(true);
  });
});

test('the number of threads leaves half of the memory for the filter', () => {
  const bound = 240e6;
  for (const [threads, most] of [
    [1, 1],
    [2, 2],
    [8, 4],
    [64, 4],
  ] as const)
    expect(threadMemory.threadsWithin(threads, bound)).toBe(most);
  expect(threadMemory.threadsWithin(8, 1000)).toBe(1);
  expect(threadMemory.threadsWithin(8, 20e9)).toBe(8);
  // One thread needs memory for its digests; each worker after the first needs 32 MiB more.
  expect(threadMemory.memoryOfParts(bound, 1)).toBeCloseTo(bound / (17 / 16));
  expect(threadMemory.memoryOfParts(bound, 5)).toBeCloseTo((bound - 3 * 2 ** 25) / (21 / 16));
});

/** Bytes that a process may use beyond `--memory`. */
const PROGRAM = 100e6;

describe.runIf(IS_LONG && existsSync('/usr/bin/time'))('a filter of four times the memory', () => {
  const LIMIT = 130e6;

  beforeAll(() => {
    shell(
      `seq 1 4000000 > many; seq 2000001 6000000 > other; $BLOOM build -n ${Math.floor((4 * LIMIT * 8) / 9.59)} many -o large.bloom`,
    );
  });

  test.each([1, 8])('uses the memory and that of the program, with %d threads', (threads) => {
    for (const command of ['query large.bloom other', 'add -q large.bloom other', 'stats large.bloom']) {
      const { stderr } = shell(`/usr/bin/time -f %M $BLOOM ${command} --memory ${LIMIT}B --threads ${threads} > found`);
      expect(1024 * Number(stderr)).toBeLessThan(LIMIT + PROGRAM);
    }
    expect(shell('wc -l < found').stdout).not.toBe('0\n');
  });
});
