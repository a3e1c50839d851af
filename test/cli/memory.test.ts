// A filter that the free memory does not hold is refused before any work, by every command that would need all of it.

import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../long.ts';
import type { Outcome } from '../starter.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');

beforeAll(async () => {
  writeFileSync(path('free.cjs'), 'process.availableMemory = () => Number(process.env.FREE);');
  for (const kind of ['counting', 'quotient']) await within(['build', '--kind', kind, WORDS, '-o', `${kind}.bloom`]);
  shell('seq 300000 > many');
});

/** Runs a command where so many bytes are free. */
function withFree(bytes: number, line: string): Outcome {
  return shell(`export FREE=${bytes} NODE_OPTIONS=--require=./free.cjs; $BLOOM ${line}`);
}

const refused = {
  stdout: '',
  stderr: expect.stringMatching(/^bloom: the filter takes .* of memory, and .* are free; /),
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
      `add counting.bloom ${WORDS}`,
      `remove counting.bloom ${WORDS}`,
      `query counting.bloom ${WORDS}`,
      'query <(cat counting.bloom) -e walk',
      'stats counting.bloom',
      `stats --probes 0 --absent ${WORDS} counting.bloom`,
      `stats --probes 0 --present ${WORDS} counting.bloom`,
    ]),
  )('%s', (line) => {
    expect(withFree(LITTLE, line)).toEqual(refused);
  });

  test('what needs less is done', () => {
    expect(withFree(LITTLE, 'query counting.bloom -e walk')).toMatchObject({ stdout: 'walk\n', status: 0 });
    expect(withFree(LITTLE, 'stats --probes 0 counting.bloom').status).toBe(0);
    expect(withFree(30_000, `query -c counting.bloom ${WORDS}`).stdout).toBe('5130\n');
  });
});

test('the drafts of what is built or changed must find room too', () => {
  // A quotient filter takes 8 kB and its drafts 54 kB.
  expect(withFree(LITTLE, `query -c quotient.bloom ${WORDS}`).stdout).toBe('5130\n');
  for (const line of sampled([
    `build --kind quotient -n 5130 ${WORDS} -o never.bloom`,
    `build --kind quotient ${WORDS} -o never.bloom`,
    `add quotient.bloom ${WORDS}`,
    `remove quotient.bloom ${WORDS}`,
  ])) {
    expect(withFree(LITTLE, line)).toEqual(refused);
  }
});

test('a filter that grows does so within the free memory', () => {
  // The first slice has 262 kB, and the second twice that.
  expect(withFree(500_000, 'build --kind scalable many -o never.bloom')).toEqual(refused);
  expect(withFree(900_000, 'build --kind scalable many -o grown.bloom').status).toBe(0);
});
