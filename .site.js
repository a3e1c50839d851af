// Makes the pages, in dist/site or a given folder: one folder that needs no server. Each page has one classic script, because browsers load
// no modules from file://.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { build } from 'rolldown';

const OWN = 'dist/site';
const OUTPUT = process.argv[2] ?? OWN;
const SOURCE = 'src/site';
const PAGES = ['sizing', 'look-up'];

/** The folder must load fast, and stay easy to host. */
const MOST_BYTES = 200_000;

// A given folder may have other files.
if (OUTPUT === OWN) rmSync(OWN, { recursive: true, force: true });
mkdirSync(OUTPUT, { recursive: true });
for (const page of PAGES) {
  await build({
    input: `${SOURCE}/${page}.ts`,
    platform: 'browser',
    treeshake: { moduleSideEffects: (id) => basename(id) === `${page}.ts` },
    // No page calls a function that needs Node.
    external: [/^node:/, 'xxhashjs'],
    output: { file: `${OUTPUT}/${page}.js`, format: 'iife', minify: true, codeSplitting: false },
    logLevel: 'warn',
  });
  if (/\brequire\(|\bnode:/.test(readFileSync(`${OUTPUT}/${page}.js`, 'utf8')))
    throw new Error(`${page}.js needs Node`);
}
for (const file of readdirSync(SOURCE)) {
  if (['.html', '.css'].includes(extname(file))) cpSync(`${SOURCE}/${file}`, `${OUTPUT}/${file}`);
}
const bytes = readdirSync(OUTPUT).reduce((sum, file) => sum + statSync(`${OUTPUT}/${file}`).size, 0);
if (bytes > MOST_BYTES) throw new Error(`${OUTPUT} has ${bytes} bytes, more than ${MOST_BYTES}`);
console.log(`${OUTPUT}: ${readdirSync(OUTPUT).length} files, ${bytes} bytes`);
