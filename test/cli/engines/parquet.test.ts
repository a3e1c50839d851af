// The payload of `blocked` filters as the bitset of Apache Parquet.

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { fixture } from '../run.ts';
import { blocksOf, pageScratch, testedWith } from './page.ts';

const { path, bloom, run } = pageScratch();

const SECTION = 'Parquet and data lakes';
const [lookup = ''] = blocksOf(SECTION, 'python');
const [bitset = ''] = blocksOf(SECTION, 'sh');

/** Bytes of the Thrift header before the bits. */
const THRIFT_HEADER = 16;

beforeAll(() => {
  const asked = readFileSync(fixture('formats/asked.txt'), 'utf8').split('\n').slice(0, -1);
  writeFileSync(
    path('members.txt'),
    asked
      .slice(0, 200)
      .map((key) => `${key}\n`)
      .join(''),
  );
  copyFileSync(fixture('formats/asked.txt'), path('keys.txt'));
  bloom(['build', '--kind', 'blocked', '-n', '200', '-m', '1024', 'members.txt', '-o', 'ids.bloom']);
});

test('the bits are those that pyarrow has written of the same keys', () => {
  const answered = run(bitset);
  const theirs = readFileSync(fixture('formats/parquet/bare.sbbf')).subarray(THRIFT_HEADER);
  expect(readFileSync(path('ids.bits')).equals(theirs)).toBe(true);
  expect(answered).toBe(bloom(['query', 'ids.bloom', 'keys.txt']).stdout);
});

testedWith('python3')('a block of 32 bytes answers for a key', () => {
  writeFileSync(path('lookup.py'), lookup);
  const answers = run('python3 lookup.py ids.bloom < keys.txt');
  expect(answers.split('\n').length).toBeGreaterThan(200);
  expect(answers).toBe(bloom(['query', 'ids.bloom', 'keys.txt']).stdout);
});
