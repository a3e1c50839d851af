// Records longer than a batch, and many batches: numbers, names and answers are those of the records one by one.

import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { scratch } from './run.ts';

const { path, within } = scratch();

/** More bytes than the scanner keeps together, and more records than one batch looks up. */
const LONG = 700_000;
const MANY = 20_000;

/** Members at the beginning, between long records, and behind many others. */
const RECORDS = [
  ...['no', 'red', 'x'.repeat(LONG), 'blue', 'y'.repeat(LONG), 'z'.repeat(LONG), 'red'],
  ...Array.from({ length: MANY }, (_, i) => `absent-${i}`),
  ...['blue', 'w'.repeat(LONG), 'no', 'red'],
];
const MEMBERS = RECORDS.flatMap((record, i) =>
  record === 'red' || record === 'blue' ? [{ record, line: i + 1 }] : [],
);
const numbered = (text: (record: string, line: number) => string) =>
  MEMBERS.map(({ record, line }) => `${text(record, line)}\n`).join('');

beforeAll(async () => {
  writeFileSync(path('log'), RECORDS.join('\n'));
  for (const colour of ['red', 'blue']) {
    writeFileSync(path(colour), `${colour}\n`);
    await within(['build', '-p', '1e-12', colour, '-o', `${colour}.bloom`]);
  }
});

const query = async (...args: readonly string[]) =>
  (await within(['query', '-F', 'red.bloom', '-F', 'blue.bloom', 'log', ...args])).stdout;

test.each([
  [['-n'], numbered((record, line) => `${line}:${record}`)],
  [['-n', '-o', '--tokens', 'words'], numbered((record, line) => `${line}:${record}`)],
  [['-H', '-n', '--which'], numbered((record, line) => `${record}.bloom\tlog:${line}:${record}`)],
  [['-n', '-f', '1-', '--all-fields'], numbered((record, line) => `${line}:${record}`)],
  [['-c', '--which'], 'red.bloom\t3\nblue.bloom\t2\n'],
  [
    ['-n', '-m', '4'],
    MEMBERS.slice(0, 4)
      .flatMap(({ record, line }) => `${line}:${record}\n`)
      .join(''),
  ],
  [['-n', '--color', 'always', '--threads', '1'], undefined],
])('query %j', async (flags, expected) => {
  const stdout = await query(...flags);
  if (expected !== undefined) expect(stdout).toBe(expected);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours of the output
  else expect(stdout.replace(/\x1b\[[\d;]*[mK]/g, '')).toBe(numbered((record, line) => `${line}:${record}`));
});

test('query --tag, --json and -v print each record in its order', async () => {
  const tagged = RECORDS.map((record) => `${['red', 'blue'].includes(record) ? '+' : '-'}${record}\n`).join('');
  expect((await query('--tag')) === tagged).toBe(true);
  const objects = (await query('--json')).trimEnd().split('\n');
  const wrong = objects.filter((line, i) => {
    const { record, match, line: number } = JSON.parse(line);
    return record !== RECORDS[i] || match !== ['red', 'blue'].includes(record) || number !== i + 1;
  });
  expect([objects.length, wrong.length]).toEqual([RECORDS.length, 0]);
  const absent = RECORDS.filter((record) => !['red', 'blue'].includes(record));
  expect((await query('-v')) === `${absent.join('\n')}\n`).toBe(true);
});

test('dedup prints each record once, and digest has one digest per record', async () => {
  const { stdout } = await within(['dedup', 'log']);
  expect(stdout === `${[...new Set(RECORDS)].join('\n')}\n`).toBe(true);
  const windows = await within(['dedup', '--window', '4', '--keep', '1', 'log']);
  // Windows are records 1 to 4, 5 to 8 and so on. Record 7, red, repeats record 2, and the other repeats come too late.
  const passed = RECORDS.filter((record, i) => record !== 'red' || i !== 6);
  expect(windows.stdout === `${passed.join('\n')}\n`).toBe(true);
  const { stderr } = await within(['digest', 'log', '-o', 'log.digests']);
  expect(stderr).toContain(RECORDS.length.toLocaleString('en'));
});
