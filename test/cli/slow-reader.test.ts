// A reader that is slower than the command gets the same bytes in the same order, including errors.

import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { PYTHON } from '../python/python.ts';
import { fixture, scratch } from './run.ts';

const READER = fileURLToPath(new URL('slow-reader.py', import.meta.url));

const { shell, within } = scratch();
const SECONDS = inLongRuns(0.5, 0.2);

beforeAll(async () => {
  await within(['build', fixture('words.txt'), '-o', 'words.bloom']);
  shell(`for i in $(seq 20); do cat ${fixture('words.txt')}; done > many; seq 100000 > numbers`);
});

const COMMANDS = [
  '$BLOOM query words.bloom many nowhere',
  '$BLOOM query --threads 3 --tag words.bloom many',
  '$BLOOM query --line-buffered words.bloom many',
  '$BLOOM dedup -n 1M numbers',
  '$BLOOM build -n 1M numbers -o -',
  '$BLOOM stats --probes 0 words.bloom words.bloom nowhere words.bloom words.bloom words.bloom words.bloom',
  '$BLOOM query --which words.bloom -e walk -e wlak',
  '$BLOOM digest numbers -o -',
  '$BLOOM formats --json',
  '$BLOOM size -n 1M -p 1% --kind all --overfill',
  '$BLOOM completion bash',
  '$BLOOM build --help',
];
const READERS = [
  ['64 KiB at a time', 65536, 'blocking'],
  ['a byte at a time', 1, 'blocking'],
  ['64 KiB at a time of what never blocks', 65536, 'nonblocking'],
  ['a byte at a time of what never blocks', 1, 'nonblocking'],
] as const;

/** Each command with each reader; by default two commands with one reader each. */
const CASES = COMMANDS.flatMap((line, i) =>
  READERS.filter((_, j) => inLongRuns(true, i % 6 === 0 && j === (i / 6) % READERS.length)).map(
    (reader) => [...reader, line] as const,
  ),
);

/** The text without times and speeds, which differ. */
const steady = (text: string) =>
  text.replace(/(?:less than )?[\d.]+ s(, [\d.,]+[kMG]? keys?\/s)?$/gm, '').replace(/"seconds":[\d.e-]+/g, '');

test.skipIf(!PYTHON).each(CASES)('%s: all of it comes, in order (%d, %s): %s', (_, bytes, mode, line) => {
  const { stdout, status } = shell(`'${PYTHON}' '${READER}' ${SECONDS} ${bytes} ${mode} ${line}`);
  const quick = shell(`${line} 2>&1`);
  expect(steady(stdout)).toBe(steady(quick.stdout));
  expect(status).toBe(quick.status);
});
