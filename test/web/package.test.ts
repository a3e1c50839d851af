// What programs import from 'bloomery/web' and its parts: small files that need nothing of Node.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { fixture, scratch } from '../cli/run.ts';

const { path, within } = scratch();
const DIST = new URL('../../dist/js/', import.meta.url);
const ENTRIES = ['web', 'web-parts', 'web-bulk', 'web-file-index'];

test.each(ENTRIES.flatMap((entry) => [`${entry}.mjs`, `${entry}.cjs`]))(
  '%s needs nothing of Node, and compiles no text',
  (file) => {
    const code = readFileSync(new URL(file, DIST), 'utf8');
    expect(
      code.match(/\bnode:|\bBuffer\b|\bprocess\b|\brequire\(|\bimport\b|SharedArrayBuffer|\beval\b|\bFunction\(/g),
    ).toBeNull();
  },
);

/** Bytes of some imports from files of `dist/js`, after bundling, minifying and compressing. */
async function bundledBytes(imports: Readonly<Record<string, string>>): Promise<number> {
  const lines = Object.entries(imports).map(
    ([file, names]) => `export { ${names} } from ${JSON.stringify(fileURLToPath(new URL(file, DIST)))};`,
  );
  const bundle = await rolldown({
    input: 'entry',
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? lines.join('\n') : null),
      },
    ],
  });
  const { output } = await bundle.generate({ minify: true, codeSplitting: false });
  return gzipSync(output[0].code, { level: 9 }).length;
}

/** A fifth of `BloomFilter` of npm's bloom-filters 3.0.4, measured in the same way. */
const FIFTH = 6631;

test('openFilter has at most a fifth of the bytes of another package, and with all hashes at most 10 kB', async () => {
  expect(await bundledBytes({ 'web.mjs': 'openFilter' })).toBeLessThanOrEqual(FIFTH);
  expect(await bundledBytes({ 'web.mjs': 'openFilter', 'web-parts.mjs': 'hashes' })).toBeLessThanOrEqual(10_000);
});

test('both formats look up keys', async () => {
  await within(['build', '--hash', 'xxh3', fixture('words.txt'), '-o', 'words.bloom']);
  const bytes = Uint8Array.from(readFileSync(path('words.bloom')));
  const require = createRequire(import.meta.url);
  const kernel = new WebAssembly.Module(readFileSync(new URL('../kernel.wasm', DIST)));
  const formats = [
    await Promise.all(ENTRIES.map((entry) => import(new URL(`${entry}.mjs`, DIST).href))),
    ENTRIES.map((entry) => require(`../../dist/js/${entry}.cjs`)),
  ];
  for (const [{ openFilter }, { hashes }, { bulk }] of formats)
    for (const part of [hashes, await bulk(kernel)])
      expect(await (await openFilter(bytes, { with: [part] })).hasMany(['walk', 'wlak'])).toEqual([true, false]);
});
