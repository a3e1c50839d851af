// Makes the pages, dist/site: one folder that needs no server. Each page has one classic script, because browsers load
// no modules from file://.

import { cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { build } from 'rolldown';

const OUTPUT = 'dist/site';
const SOURCE = 'src/site';
const PAGES = ['sizing'];

/** The folder must load fast, and stay easy to host. */
const MOST_BYTES = 200_000;

/** Modules that import Node's own use them only in functions that no page calls. */
const withoutNode = {
  name: 'without-node',
  resolveId: (id) => (id.startsWith('node:') ? '\0node' : null),
  load: (id) => (id === '\0node' ? 'export const constants = {};' : null),
};

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(OUTPUT, { recursive: true });
for (const page of PAGES) {
  await build({
    input: `${SOURCE}/${page}.ts`,
    platform: 'browser',
    treeshake: { moduleSideEffects: (id) => basename(id) === `${page}.ts` },
    plugins: [withoutNode],
    output: { file: `${OUTPUT}/${page}.js`, format: 'iife', minify: true, codeSplitting: false },
    logLevel: 'warn',
  });
}
for (const file of readdirSync(SOURCE)) {
  if (['.html', '.css'].includes(extname(file))) cpSync(`${SOURCE}/${file}`, `${OUTPUT}/${file}`);
}
const bytes = readdirSync(OUTPUT).reduce((sum, file) => sum + statSync(`${OUTPUT}/${file}`).size, 0);
if (bytes > MOST_BYTES) throw new Error(`${OUTPUT} has ${bytes} bytes, more than ${MOST_BYTES}`);
console.log(`${OUTPUT}: ${readdirSync(OUTPUT).length} files, ${bytes} bytes`);
