// Filters of every rule of keys, and with tags, that every version must read and write alike. golden/tiny-sha1.bloom and the
// files beside it are the outputs of these commands. The filter with tags has 1207 kB, so only its digest is here.

import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratch } from '../../cli/run.ts';

const { path, within } = scratch();
const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const KEYS = 'Alpha\nbeta\r\n gamma \n\nalpha\nno newline';
const TINY = ['-n', '10', '-p', '1%', '--seed', '42'];
/** Markers are made only if the keys are counted. */
const COUNTED = ['-p', '1%', '--seed', '42'];

const FILES: readonly (readonly [string, readonly string[], string, string, string])[] = [
  ['sha1', [...TINY, '-i', '--trim', '--key-hash', 'sha1'], KEYS, 'ALPHA\nbeta\ndelta\n', 'ALPHA\nbeta\n'],
  [
    'domains',
    [...TINY, '--suffixes'],
    'www.Example.org\n*.b.example',
    'a.www.example.org\nb.Example\norg\n',
    'a.www.example.org\nb.Example\n',
  ],
  [
    'networks',
    [...TINY, '--prefixes'],
    '10.0.0.0/8\n2001:db8::/32\n::1',
    '10.1.2.3\n2001:db8::7\n11.1.2.3\n',
    '10.1.2.3\n2001:db8::7\n',
  ],
  [
    'markers',
    [...COUNTED, '--prefixes'],
    '10.0.0.0/8\n192.0.2.0/24\n192.0.2.128/31\n198.51.100.7\n::1',
    '10.1.2.3\n192.0.2.9\n192.0.3.9\n198.51.100.7\n198.51.100.8\n',
    '10.1.2.3\n192.0.2.9\n198.51.100.7\n',
  ],
];

test.each(FILES)('tiny-%s.bloom is read, and written as it was then', async (name, flags, stdin, asked, found) => {
  const golden = fileURLToPath(new URL(`golden/tiny-${name}.bloom`, import.meta.url));
  expect((await within(['build', ...flags, '-o', 'again.bloom', '--force'], { stdin })).status).toBe(0);
  expect(sha256(path('again.bloom'))).toBe(sha256(golden));
  copyFileSync(golden, path('golden.bloom'));
  expect((await within(['query', 'golden.bloom'], { stdin: asked })).stdout).toBe(found);
});

test.each([
  ['sha1', '7f5be5001a996c14ecf1298adbb778e8fe163ee186fd9870e0cd6737970d7b2f'],
  ['domains', '91e1c14ecb01d91f55fcd027e5f478177b25041ea6af82e416285c8d40581804'],
  ['networks', 'a55b15003edfd9fc1a884abb80bae975632e21b849730eaae647d1ab60512d10'],
  ['markers', '80c7451a07a894ec6116a6d82cf709fbb1a16165c9fdb95816a3692884a673d8'],
])('the bytes of tiny-%s.bloom are pinned', (name, pinned) => {
  expect(sha256(fileURLToPath(new URL(`golden/tiny-${name}.bloom`, import.meta.url)))).toBe(pinned);
});

test('a filter with tags is written as it was then', async () => {
  const flags = ['-n', '1M', '-p', '1%', '--seed', '42', '--segment-size', '4KiB'];
  await within(['build', ...flags, '-o', 'tags.bloom', '--force'], { stdin: 'alpha\nbeta\n' });
  expect(readFileSync(path('tags.bloom')).readUInt32LE(16)).toBe(16);
  expect(sha256(path('tags.bloom'))).toBe('7d656173cdde9e40ff7fd29f7d5dea215f32afdea0f456a0fb5469e6a75bdce6');
  expect((await within(['query', 'tags.bloom', '-e', 'beta', '-e', 'gamma'])).stdout).toBe('beta\n');
});
