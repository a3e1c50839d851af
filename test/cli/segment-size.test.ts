// build --segment-size: more and smaller segments, of which a point query reads one.

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');
const LIMIT = 16 * 1024 * 8;

/** Builds a filter for a number of keys, and returns what the summary says. */
async function built(name: string, ...flags: readonly string[]) {
  const { stdout, status } = await within(['build', '--json', ...flags, WORDS, '-o', name, '--force']);
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

describe('small segments', () => {
  test.each(sampled(['bloom', 'blocked', 'counting', 'ribbon', 'fuse']))(
    'are the fewest of that size, in a %s filter',
    async (kind) => {
      const flags = ['--kind', kind, '-n', '300k'];
      const { segments, bits } = await built('fine', ...flags, '--segment-size', '16KiB');
      expect(segments).toBeGreaterThan(10);
      expect(bits / segments).toBeLessThanOrEqual(LIMIT);
      // Fuse filters have a whole number of windows of slots.
      expect(bits / (segments - 1)).toBeGreaterThan((kind === 'fuse' ? 0.95 : 1) * LIMIT - 512);
      expect((await within(['query', '-v', '-c', 'fine', WORDS])).stdout).toBe('0\n');
      expect((await within(['stats', '--probes', '1k', '--verify', 'fine'])).status).toBe(0);
      // By default segments are as large as possible.
      const whole = await built('coarse', ...flags);
      expect((await built('same', ...flags, '--segment-size', '512KiB')).segments).toBe(whole.segments);
      expect(Buffer.compare(readFileSync(path('same')), readFileSync(path('coarse')))).toBe(0);
      expect(whole.segments).toBeLessThan(segments);
    },
  );

  test('are never larger than that size', async () => {
    const { segments, bits } = await built('odd', '-n', '300k', '--segment-size', '6000');
    expect(bits / segments).toBe(8 * 5952);
  });

  test.each([
    ['few', '300k', '16KiB', false],
    ['many', '480k', '4KiB', true],
  ])('%s are merged, added to and made with --like, and parts of them', async (_, items, size, isTagged) => {
    const flags = ['-n', items, '-p', '1e-4', '--segment-size', size];
    const { segments } = await built('fine', ...flags);
    expect(readFileSync(path('fine')).readUInt32LE(16)).toBe(isTagged ? 16 : 0);
    expect(segments > 256).toBe(isTagged);
    shell(`head -n 2000 ${WORDS} > head; tail -n +2001 ${WORDS} > tail`);
    await within(['build', '--like', 'fine', 'head', '-o', 'head.bloom', '--force']);
    await within(['build', ...flags, 'tail', '-o', 'tail.bloom', '--force']);
    await within(['merge', 'head.bloom', 'tail.bloom', '-o', 'merged', '--force']);
    await within(['add', 'tail.bloom', 'head']);
    for (const part of [1, 2, 3])
      await within(['build', ...flags, '--part', `${part}/3`, WORDS, '-o', `part.${part}`, '--force']);
    await within(['merge', 'part.1', 'part.2', 'part.3', '-o', 'joined', '--force']);
    await within(['build', ...flags, '--passes', '3', WORDS, '-o', 'passes', '--force']);
    await within(['build', '--like', 'fine', WORDS, '-o', 'like', '--force']);
    for (const name of ['merged', 'tail.bloom', 'joined', 'passes', 'like'])
      expect(Buffer.compare(readFileSync(path(name)), readFileSync(path('fine')))).toBe(0);
    await built('coarse', '-n', items);
    expect((await within(['merge', 'fine', 'coarse', '-o', 'never'])).stderr).toMatch(/bits is .* segments is /);
  });

  test.runIf(IS_LONG).each(['ribbon', 'fuse'])(
    'of a %s filter are the same from parts, passes and threads',
    async (kind) => {
      const flags = ['--kind', kind, '-n', '1M', '-p', '1e-4', '--segment-size', '4KiB'];
      const { segments } = await built('whole', ...flags);
      expect(segments).toBeGreaterThan(256);
      const made = async (name: string, ...others: readonly string[]) =>
        within(['build', ...others, WORDS, '-o', name, '--force']);
      for (const part of [1, 2, 3]) await made(`part.${part}`, ...flags, '--part', `${part}/3`);
      await within(['merge', 'part.1', 'part.2', 'part.3', '-o', 'joined', '--force']);
      await made('passes', ...flags, '--passes', '3');
      await made('like', '--like', 'whole');
      for (const threads of ['1', '2', '3', '8']) await made(`threads.${threads}`, ...flags, '--threads', threads);
      for (const name of ['joined', 'passes', 'like', ...['1', '2', '3', '8'].map((threads) => `threads.${threads}`)])
        expect(Buffer.compare(readFileSync(path(name)), readFileSync(path('whole')))).toBe(0);
    },
  );

  test('are read one per key: the others may be damaged', async () => {
    const { segments } = await built('fine', '-n', '300k', '--segment-size', '16KiB');
    const bytes = readFileSync(path('fine'));
    const answers = Array.from({ length: segments }, (_, i) => {
      const damaged = Buffer.from(bytes);
      const at = 128 + Math.floor(((i + 0.5) * (bytes.length - 128 - 16 * segments - 8)) / segments);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      return damaged;
    });
    // Exactly one segment is that of the key.
    const outcomes: string[] = [];
    for (const [i, damaged] of answers.slice(0, inLongRuns(4, 2)).entries()) {
      writeFileSync(path(`damaged.${i}`), damaged);
      outcomes.push((await within(['query', `damaged.${i}`, '-e', 'walk'])).stdout);
    }
    expect(outcomes.filter((stdout) => stdout === 'walk\n').length).toBeGreaterThanOrEqual(inLongRuns(3, 1));
  });

  test.each([
    [['--segment-size', '3KiB'], /expected a size from 4KiB to 512KiB/],
    [['--segment-size', '1MiB'], /expected a size from 4KiB to 512KiB/],
    [
      ['--segment-size', '16KiB', '--kind', 'cuckoo'],
      /^bloom: --segment-size is not supported by cuckoo filters; choose --kind bloom, blocked, counting, ribbon, fuse,/,
    ],
    [['--segment-size', '16KiB', '--kind', 'scalable'], /--segment-size is not supported by scalable filters/],
    [['--segment-size', '16KiB', '--format', 'guava'], /--segment-size has no effect/],
    [['--segment-size', '16KiB', '--like', 'fine'], /so --segment-size cannot be stated/],
  ])('are refused with %j', async (flags, message) => {
    const { stderr, status } = await within([
      'build',
      ...(flags.includes('--like') ? [] : ['-n', '1M']),
      ...flags,
      WORDS,
      '-o',
      'x',
    ]);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});
