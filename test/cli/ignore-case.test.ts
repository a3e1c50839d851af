// Keys whose case is ignored for all letters: builds, what the file records, and answers.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { PYTHON } from '../python/python.ts';
import { foldedBytes } from '../reference/case-folding.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();
const READER = fileURLToPath(new URL('../python/reader.py', import.meta.url));

const KEYS = ['ÜBER', 'Straße', 'ΣΊΣΥΦΟΣ', 'ЖУК', 'Kelvin \u212A', 'Ⱥ'.repeat(50), 'ASCII', '漢字', 'Ꭰꭱ'];
/** The same words in another case. */
const ASKED = ['über', 'STRAẞE', 'σίσυφος', 'Жук', 'KELVIN k', 'ⱥ'.repeat(50), 'ascii', '漢字', 'ꭰᎡ'];

beforeAll(async () => {
  writeFileSync(path('keys'), `${KEYS.join('\n')}\n`);
  writeFileSync(path('asked'), `${ASKED.join('\n')}\n`);
  writeFileSync(path('folded'), foldedBytes(readFileSync(path('keys'))));
  const build = ['build', '-n', '1000', '-p', '1e-9', 'keys'];
  await within([...build, '--ignore-case-unicode', '-o', 'all.bloom']);
  await within([...build, '-i', '-o', 'ascii.bloom']);
});

test('words are found in any case, and no other words are', async () => {
  expect((await within(['query', 'all.bloom', 'asked'])).stdout).toBe(readFileSync(path('asked'), 'utf8'));
  expect((await within(['query', '-c', 'all.bloom', '-e', 'uber', '-e', 'strasse', '-e', 'u\u0308ber'])).stdout).toBe(
    '0\n',
  );
  expect((await within(['query', 'ascii.bloom', 'asked'])).stdout).toBe('ascii\n漢字\n');
});

test('the filter records it in a flag of its own, and reports and comparisons name it', async () => {
  expect(readFileSync(path('all.bloom')).readUInt32LE(16)).toBe(64);
  expect(JSON.parse((await within(['stats', '--probes', '1k', '--json', 'all.bloom'])).stdout)).toMatchObject({
    ignoreCase: 'unicode',
  });
  expect((await within(['stats', '--probes', '1k', 'all.bloom'])).stdout).toContain(
    'seed 0, ignoring case of all letters\n',
  );
  const merged = await within(['merge', 'all.bloom', 'ascii.bloom', '-o', 'merged.bloom']);
  expect(merged).toMatchObject({ status: 2, stderr: expect.stringMatching(/ignore-case.*unicode/s) });
  for (const both of [
    ['-i', '--ignore-case-unicode'],
    ['--ignore-case-unicode', '-i'],
  ]) {
    await within(['build', '-n', '1000', '-p', '1e-9', 'keys', ...both, '-o', 'both.bloom', '--force']);
    expect(readFileSync(path('both.bloom')).equals(readFileSync(path('all.bloom')))).toBe(true);
  }
});

test.skipIf(!PYTHON)('the reader in Python, which has its own table, agrees', () => {
  const { stdout } = spawnSync(PYTHON ?? '', [READER, path('all.bloom')], {
    input: readFileSync(path('asked')),
    encoding: 'utf8',
  });
  expect(stdout).toBe('1\n'.repeat(ASKED.length));
});

describe('keys and folded keys make the same output', () => {
  test.each([
    ['digest', '-o', 'out'],
    ['count', '-o', 'out'],
  ])('by %s', async (...command) => {
    expect(await within([...command, '--force', 'folded'])).toMatchObject({ status: 0 });
    const expected = readFileSync(path('out'));
    for (const threads of inLongRuns([1, 2, 3, 4, 8, 16], [1, 3])) {
      const args = [...command, '--force', '--ignore-case-unicode', 'keys', '--threads', `${threads}`];
      expect(await within(args, { chunk: 40 })).toMatchObject({ status: 0 });
      expect(readFileSync(path('out')).equals(expected), `${threads}`).toBe(true);
    }
  });

  test('by dedup and index', async () => {
    expect((await within(['dedup', '-c', '--ignore-case-unicode', 'keys', 'asked'])).stdout).toBe(`${KEYS.length}\n`);
    expect((await within(['dedup', '-c', '-i', 'keys', 'asked'])).stdout).toBe(`${2 * KEYS.length - 2}\n`);
    await within(['index', '--ignore-case-unicode', 'keys', '-o', 'keys.index']);
    expect((await within(['query', 'keys.index', '-e', 'жук'])).stdout).toBe('keys\n');
    expect(JSON.parse((await within(['stats', '--probes', '1k', '--json', 'keys.index'])).stdout)).toMatchObject({
      ignoreCase: 'unicode',
    });
  });
});
