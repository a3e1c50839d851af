// Every command that needs all of a filter refuses one that exceeds the free memory, before any work.

import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sampled } from '../long.ts';
import type { Outcome } from '../starter.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');

beforeAll(async () => {
  for (const kind of ['counting', 'quotient']) await within(['build', '--kind', kind, WORDS, '-o', `${kind}.bloom`]);
  await within(['build', '--kind', 'scalable', '-n', '30k', WORDS, '-o', 'scalable.bloom']);
  shell('seq 300000 > many');
});

/** Runs a command as if this many bytes were free. */
function withFree(bytes: number, line: string): Promise<Outcome> {
  vi.spyOn(process, 'availableMemory').mockReturnValue(bytes);
  const [command = '', file] = line.split(' < ');
  return within(command.split(' '), { stdin: file === undefined ? '' : readFileSync(file) });
}
afterEach(() => vi.restoreAllMocks());

const refused = {
  stdout: '',
  stderr: expect.stringMatching(/^bloom: the filter needs .* of memory, and .* are free; /),
  status: 2,
};

/** Less than the 25 kB of the counting filter. */
const LITTLE = 20_000;

describe('with too little free memory', () => {
  test.each(
    sampled([
      `build --kind counting -n 5130 ${WORDS} -o never.bloom`,
      `build --kind counting ${WORDS} -o never.bloom`,
      `build --kind counting -o never.bloom < ${WORDS}`,
      `add scalable.bloom ${WORDS}`,
      `remove counting.bloom ${WORDS}`,
      `query --line-buffered counting.bloom ${WORDS}`,
      `query --only-matching counting.bloom ${WORDS}`,
      `query scalable.bloom ${WORDS}`,
      'stats scalable.bloom',
    ]),
  )('%s', async (line) => {
    expect(await withFree(LITTLE, line)).toEqual(refused);
  });

  test('a filter from a pipe', async () => {
    vi.spyOn(process, 'availableMemory').mockReturnValue(LITTLE);
    const stdin = readFileSync(path('counting.bloom'));
    expect(await within(['query', '-', '-e', 'walk'], { stdin, isPiped: true })).toEqual(refused);
  });

  test('smaller work succeeds', async () => {
    expect(await withFree(LITTLE, 'query counting.bloom -e walk')).toMatchObject({ stdout: 'walk\n', status: 0 });
    expect((await withFree(LITTLE, 'stats --probes 0 counting.bloom')).status).toBe(0);
    expect((await withFree(LITTLE, `stats --probes 0 --present ${WORDS} counting.bloom`)).status).toBe(0);
    expect((await withFree(30_000, `query -c counting.bloom ${WORDS}`)).stdout).toBe('5130\n');
  });
});

test('the drafts of a build or a change must fit in the memory too', async () => {
  // A quotient filter needs 8 kB, and its drafts need 54 kB.
  expect((await withFree(LITTLE, `query -c quotient.bloom ${WORDS}`)).stdout).toBe('5130\n');
  for (const line of sampled([
    `build --kind quotient -n 5130 ${WORDS} -o never.bloom`,
    `build --kind quotient ${WORDS} -o never.bloom`,
    `remove quotient.bloom ${WORDS}`,
  ])) {
    expect(await withFree(LITTLE, line)).toEqual(refused);
  }
});

test('a filter grows within the free memory', async () => {
  // The first slice has 262 kB, and the second twice that.
  expect(await withFree(500_000, 'build --kind scalable many -o never.bloom')).toEqual(refused);
  expect((await withFree(900_000, 'build --kind scalable many -o grown.bloom')).status).toBe(0);
});
