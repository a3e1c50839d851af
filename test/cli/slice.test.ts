// Some of the records of files, for one of many processes that share them.

import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLongRuns, sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { path, shell, within } = scratch();
const WORDS = fixture('words.txt');

beforeAll(async () => {
  const text = readFileSync(WORDS, 'utf8');
  // The middle of the text is a file of its own, which ends within a line.
  writeFileSync(path('a'), text.slice(0, 10_000));
  writeFileSync(path('b'), text.slice(10_000, 10_007));
  writeFileSync(path('c'), text.slice(10_007));
  writeFileSync(path('list'), 'b\nc\n');
  await within(['build', '-n', '10k', 'a', 'b', 'c', '-o', 'all.bloom']);
  await within(['build', WORDS, '-o', 'words.bloom']);
});

describe('slices', () => {
  test('of files and of lists of files are built separately, and their merge is the filter of all', async () => {
    for (const number of [1, 2, 3]) {
      const { status } = await within([
        ...['build', '-n', '10k', '--slice', `${number}/3`, 'a', '--files-from', 'list', '-o', `${number}.bloom`],
      ]);
      expect(status).toBe(0);
    }
    expect((await within(['merge', '1.bloom', '2.bloom', '3.bloom', '-o', 'merged.bloom'])).status).toBe(0);
    expect(readFileSync(path('merged.bloom')).equals(readFileSync(path('all.bloom')))).toBe(true);
  });

  test('are added one after the other, and removed', async () => {
    writeFileSync(path('none'), '');
    await within(['build', '--kind', 'counting', '-n', '10k', WORDS, '-o', 'counted.bloom']);
    await within(['build', '--kind', 'counting', '-n', '10k', 'none', '-o', 'sliced.bloom']);
    for (const slice of ['2/2', '1/2']) await within(['add', 'sliced.bloom', WORDS, '--slice', slice]);
    expect(readFileSync(path('sliced.bloom')).equals(readFileSync(path('counted.bloom')))).toBe(true);
    for (const slice of ['1/3', '3/3', '2/3'])
      expect((await within(['remove', 'sliced.bloom', WORDS, '--slice', slice])).status).toBe(0);
    expect((await within(['query', '-c', 'sliced.bloom', WORDS])).stdout).toBe('0\n');
  });

  test('are looked up as split cuts lines', async () => {
    const sliced = async (slice: string) => await within(['query', 'words.bloom', WORDS, '--slice', slice]);
    for (const slice of ['1/4', '3/4'])
      expect((await sliced(slice)).stdout).toBe(shell(`split -n l/${slice} ${WORDS}`).stdout);
    // More slices than bytes, so most are empty.
    writeFileSync(path('short'), 'walk\nwalk');
    for (const number of inLongRuns([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [1, 2, 8, 12])) {
      const count = number === 2 || number === 8 ? 1 : 0;
      const { stdout, status } = await within(['query', '-c', 'words.bloom', 'short', `--slice=${number}/12`]);
      expect({ stdout, status }, `${number}`).toEqual({ stdout: `${count}\n`, status: 1 - count });
    }
  });
});

describe('inputs that cannot be cut are refused', () => {
  test.each(
    sampled([
      [
        'cat a | $BLOOM build --slice 1/2 -o x',
        'standard input cannot be cut into slices: it can only be read in order',
      ],
      ['$BLOOM build --slice 1/2 -o x < a', 'standard input cannot be cut into slices: it can only be read in order'],
      ['$BLOOM build --slice 1/2 a <(cat b) -o x', 'cannot be cut into slices: it can only be read in order'],
      ['$BLOOM build --slice 1/2 a /proc/uptime -o x', '/proc/uptime cannot be cut into slices: it has no size'],
      [
        '$BLOOM build --slice 2/2 a.gz a -o x',
        'a.gz cannot be cut into slices: it is compressed with gzip; decompress',
      ],
      ['$BLOOM build --slice 1/2 a missing -o x', 'cannot read missing: no such file'],
      ['$BLOOM build --slice 1/2 . -o x', '. cannot be cut into slices'],
      ['$BLOOM build --slice 0/2 a -o x', 'expected K/N with K from 1 to N, such as 3/16'],
      ['$BLOOM build --slice 3/2 a -o x', 'expected K/N with K from 1 to N, such as 3/16'],
      ['$BLOOM query all.bloom --slice 1/2 -n a', '--line-number counts records from the start of a file'],
      ['$BLOOM query all.bloom --slice 1/2 --json a', '--json counts records from the start of a file'],
      ['$BLOOM query all.bloom --slice 1/2 -e a', '--slice has no effect'],
      ['$BLOOM query --which all.bloom --slice 1/2 -e a', '--slice has no effect'],
      [
        '$BLOOM query all.bloom --slice 1/2 all.bloom',
        'all.bloom is a filter of bloom, but a text file of records is expected here',
      ],
    ]),
  )('%s', (line, message) => {
    writeFileSync(path('a.gz'), gzipSync(readFileSync(path('a'))));
    const { stdout, stderr, status } = shell(line);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  });

  test('but compressed files are, byte for byte, under --raw', async () => {
    const { stdout } = shell('for k in 1 2 3; do $BLOOM query -vc --raw all.bloom a.gz --slice $k/3; done');
    const sum = stdout
      .trim()
      .split('\n')
      .reduce((all, count) => all + Number(count), 0);
    expect(`${sum}\n`).toBe((await within(['query', '-vc', '--raw', 'all.bloom', 'a.gz'])).stdout);
  });
});
