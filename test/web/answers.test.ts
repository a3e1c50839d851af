// The reader for browsers gives the answers of the command, for every kind and hash.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { HASH_NAMES } from '../../src/hashes/registry.ts';
import { openFilter } from '../../src/web/index.ts';
import { fixture, scratch } from '../cli/run.ts';
import { inLongRuns } from '../long.ts';
import { createHost, URL_OF_HOST } from './host.ts';

const { path, within } = scratch();

const WORDS = readFileSync(fixture('words.txt'), 'utf8').trimEnd().split('\n');
const FEW = WORDS.filter((_, i) => i % inLongRuns(1, 11) === 0);
const KEYS = [
  ...FEW,
  ...FEW.map((word) => `${word}?`),
  '',
  ' padded\t',
  'UPPER',
  'x'.repeat(300),
  '*.Walk.',
  'www.walk',
  'a.b.the. ',
  '..',
  '*.',
  `${'y.'.repeat(150)}walk`,
];

/** The keys that the command selects. */
async function selected(filter: string, keys: readonly string[]): Promise<string[]> {
  const { stdout } = await within(['query', filter], { stdin: keys.map((key) => `${key}\n`).join('') });
  return stdout.split('\n').slice(0, -1);
}

/** The same for the reader: all keys at once, and a few keys one by one. */
async function selectedByReader(
  source: Parameters<typeof openFilter>[0],
  options: Parameters<typeof openFilter>[1],
  keys: readonly string[],
): Promise<string[]> {
  const filter = await openFilter(source, options);
  const answers = await filter.hasMany(keys);
  const few = keys.filter((_, i) => i % 97 === 0);
  expect(await Promise.all(few.map(filter.has))).toEqual(answers.filter((_, i) => i % 97 === 0));
  filter.close();
  return keys.filter((_, i) => answers[i]);
}

const BUILDS: readonly (readonly [string, readonly string[]])[] = [
  ...KINDS.flatMap(({ name }, i) =>
    HASH_NAMES.filter((_, j) => inLongRuns(true, i % HASH_NAMES.length === j)).map(
      (hash) => [`${name}, ${hash}`, ['--kind', name, '--hash', hash]] as const,
    ),
  ),
  ['several segments', ['-n', '2M', '--seed', '77']],
  ['small segments', ['-n', '300k', '--segment-size', '4KiB']],
  ['small segments of a ribbon', ['--kind', 'ribbon', '-n', '300k', '--segment-size', '4KiB', '-p', '3%']],
  ['small segments of fuse', ['--kind', 'fuse', '-n', '900k', '--segment-size', '4KiB', '--hash', 'farm64']],
  ['large segments of a ribbon', ['--kind', 'ribbon', '-n', '2M']],
  ['large segments of fuse', ['--kind', 'fuse', '-n', '2M']],
  ['several slices', ['--kind', 'scalable', '-n', '1k']],
  ['a quotient filter of several segments', ['--kind', 'quotient', '-n', '1M']],
  ['protected keys of a ribbon', ['--kind', 'ribbon', '--never', fixture('packages.txt')]],
  ['protected keys of fuse', ['--kind', 'fuse', '--never', fixture('packages.txt'), '-p', '20%']],
  ['a universe', ['--kind', 'ribbon', '--universe', fixture('words.txt')]],
  ['rules', ['--ignore-case', '--trim', '--note', 'a note', '-p', '5%']],
  ['domain names', ['--suffixes']],
  ['many hash functions', ['-k', '64', '-p', '1e-9', '--hash', 'murmur3']],
];

describe.each(BUILDS)('%s', (_, flags) => {
  test('has the answers of the command, by range, whole, as a Blob and in memory', async () => {
    const half = flags.includes('--universe') ? [fixture('packages.txt')] : [fixture('words.txt')];
    const built = await within(['build', ...flags, ...half, '--force', '-o', 'f.bloom']);
    expect(built.status, built.stderr).toBe(0);
    const bytes = Uint8Array.from(readFileSync(path('f.bloom')));
    const expected = await selected('f.bloom', KEYS);
    const { fetch } = createHost(bytes);
    expect(await selectedByReader(URL_OF_HOST, { fetch }, KEYS)).toEqual(expected);
    expect(await selectedByReader(URL_OF_HOST, { fetch, whole: true, cacheBytes: 0 }, KEYS)).toEqual(expected);
    expect(await selectedByReader(new Blob([bytes]), {}, KEYS)).toEqual(expected);
    expect(await selectedByReader(bytes.buffer, {}, KEYS)).toEqual(expected);
  });
});
