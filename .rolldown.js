// Bundles the program, so that it starts in half the time: into a file for what every command needs, one for each command,
// and some that they share; the packages that few runs need stay outside and are loaded when they do.

import { defineConfig } from 'rolldown';

/** What packages load for things that we never ask of them: commander to start programs, cli-table3 to colour. */
const UNUSED = ['node:child_process', '@colors/colors/safe'];

const withoutUnused = {
  name: 'without-unused',
  resolveId: (id, importer) => (UNUSED.includes(id) && importer.includes('node_modules') ? '\0unused' : null),
  load: (id) => (id === '\0unused' ? 'export default {};' : null),
};

/** What Node has itself is required when it is used: import() would load the loader of ES modules for it, in 8 ms. */
const requiringBuiltins = {
  name: 'requiring-builtins',
  renderChunk: (code) =>
    code.replace(/\bimport\(([`"']node:[a-z_/]+[`"'])\)/g, 'Promise.resolve().then(()=>require($1))'),
};

/** In the format that Node starts with soonest: as ES modules they take 9 ms longer, with long names 3. */
export default defineConfig({
  input: { cli: 'src/cli.ts', worker: 'src/engine/threads/worker.ts' },
  platform: 'node',
  treeshake: { moduleSideEffects: 'no-external' },
  external: ['chalk', 'ora', 'xxhashjs'],
  plugins: [withoutUnused, requiringBuiltins],
  output: {
    dir: 'dist/js',
    cleanDir: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    format: 'cjs',
    minify: true,
  },
});
