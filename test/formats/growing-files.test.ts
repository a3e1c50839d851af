// Long files that begin or end like those of a format. The work of opening one grows at most linearly with its length.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import type { Format } from '../../src/formats/format.ts';
import { formatNamed } from '../../src/formats/registry.ts';
import { type ByteSource, memorySource, openSource } from '../../src/io/source.ts';
import { usedKernel } from '../kernel/kernels.ts';
import { inLongRuns, sampled } from '../long.ts';
import { placed } from './bloomery/files.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/formats', import.meta.url));
/** The sizes start small, so that quadratic work fails early, and also if a limit ends it at larger sizes. */
const SIZES = [2 ** 13, 2 ** 15, 2 ** 18, ...inLongRuns([2 ** 20, 10 * 2 ** 20], [])];

/** The CPU time may exceed linear growth by this factor, because caches and the garbage collector take their share. */
const MARGIN = 3;
/** CPU time that any file may take, in milliseconds. Shorter times measure mostly the clock and other processes. */
const FLOOR = 20;
const TRIES = 3;

/** Makes a file of `size` bytes from a file of the system. */
const FILLERS: Readonly<Record<string, (file: Buffer, size: number) => Buffer>> = {
  'its first 8 bytes again and again': (file, size) => Buffer.alloc(size, file.subarray(0, 8)),
  'its first 64 bytes again and again': (file, size) => Buffer.alloc(size, file.subarray(0, 64)),
  'all of it again and again': (file, size) => Buffer.alloc(size, file),
  'its first half, and zeros': (file, size) => Buffer.concat([halves(file)[0], Buffer.alloc(size)], size),
  'its first half, and digits': (file, size) => Buffer.concat([halves(file)[0], Buffer.alloc(size, '1')], size),
  'its last 64 bytes again and again': (file, size) => Buffer.alloc(size, file.subarray(-64)),
  'zeros, and its last half': (file, size) => Buffer.concat([Buffer.alloc(size), halves(file)[1]]).subarray(-size),
};

const halves = (file: Buffer) =>
  [file.subarray(0, file.length >> 1), file.subarray(file.length - (file.length >> 1))] as const;

/** One file of each system; long runs have two. */
const FILES = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: system }) =>
    readdirSync(join(FIXTURES, system))
      .filter((file) => !file.endsWith('.answers'))
      .slice(0, inLongRuns(2, 1))
      .map((file) => ({ system, file })),
  );

/** The CPU time of opening a file, in milliseconds, whether it is accepted or not. */
async function work(format: Format, source: ByteSource, variant: string | undefined): Promise<number> {
  const before = process.cpuUsage();
  try {
    (await format.open(source, usedKernel(), { format: variant })).close();
  } catch (error) {
    source.close();
    if (!(error instanceof BloomError)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Fails if the longer of two files takes far more time than its length justifies, at each try. */
async function expectInProportion(
  [shorter, longer]: readonly [Buffer, Buffer],
  work: (file: Buffer) => Promise<number>,
): Promise<void> {
  const most = MARGIN * (longer.length / shorter.length);
  let ratio = Number.POSITIVE_INFINITY;
  // A ratio that is far too high is not noise, and another try would take as long.
  for (let tries = 0; ratio > most && (tries === 0 || ratio < 2 * most) && tries < TRIES; tries++) {
    const few = await work(shorter);
    ratio = (await work(longer)) / Math.max(FLOOR, few);
  }
  expect(ratio, `CPU times for ${shorter.length} and ${longer.length} bytes`).toBeLessThanOrEqual(most);
}

describe.each(FILES)('$system/$file', ({ system, file: name }) => {
  const bytes = readFileSync(join(FIXTURES, system, name));
  const file = name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  const format = formatNamed(system);
  const variant = format.variants?.find((known) => name.endsWith(`.${known.name}`))?.name;

  test.each(sampled(Object.entries(FILLERS)))('%s', async (_, fill) => {
    const files = SIZES.map((size) => fill(file, size));
    const sources = [
      (all: Buffer) => openSource(placed(all, 'long'), 'filter'),
      (all: Buffer) => ({ ...memorySource('-', all), size: undefined }),
    ];
    for (const open of sources)
      for (const [i, longer] of files.slice(1).entries())
        await expectInProportion([files[i] ?? longer, longer], (all) => work(format, open(all), variant));
  });
});
