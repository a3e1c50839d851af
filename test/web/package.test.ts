// What programs import from 'bloomery/web': files that need nothing of Node, and little.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fixture, scratch } from '../cli/run.ts';

const { path, within } = scratch();
const DIST = new URL('../../dist/js/', import.meta.url);

test.each(['web.mjs', 'web.cjs'])('%s needs nothing of Node, and compiles no text', (file) => {
  const code = readFileSync(new URL(file, DIST), 'utf8');
  expect(
    code.match(/\bnode:|\bBuffer\b|\bprocess\b|\brequire\(|\bimport\b|SharedArrayBuffer|\beval\b|\bFunction\(/g),
  ).toBeNull();
});

test('the module has at most 10 kB compressed, with all kinds and hashes', () => {
  expect(gzipSync(readFileSync(new URL('web.mjs', DIST)), { level: 9 }).length).toBeLessThanOrEqual(10_000);
});

test('both formats look up keys', async () => {
  await within(['build', fixture('words.txt'), '-o', 'words.bloom']);
  const bytes = Uint8Array.from(readFileSync(path('words.bloom')));
  const modules = [
    await import(new URL('web.mjs', DIST).href),
    createRequire(import.meta.url)('../../dist/js/web.cjs'),
  ];
  for (const { openFilter } of modules)
    expect(await (await openFilter(bytes)).hasMany(['walk', 'wlak'])).toEqual([true, false]);
});
