// Bundles the program into one file, so that it starts in half the time: the packages that few runs need stay outside and
// are loaded when they do. What the threads run is a file of its own.

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

/** One file in the format that Node starts with soonest: as an ES module it takes 9 ms longer, with long names 3. */
const bundle = (input, file) => ({
  input,
  platform: 'node',
  treeshake: { moduleSideEffects: 'no-external' },
  external: ['chalk', 'ora', 'xxhashjs'],
  plugins: [withoutUnused, requiringBuiltins],
  output: { file, format: 'cjs', codeSplitting: false, minify: true },
});

export default defineConfig([
  bundle('src/cli.ts', 'dist/js/cli.cjs'),
  bundle('src/engine/threads/worker.ts', 'dist/js/worker.cjs'),
]);
