// Bundles the program into one file, so that it starts in half the time, but for what reads some files of other systems; the packages that
// few runs need stay outside and are loaded when they do. What the threads run is a file of its own.

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

/** What is loaded with the first file of such a format, as `import()` in its `open` says: what tells these files is not. */
const READERS =
  /src.formats.(parquet.(table|footer|schema|columns)|orc.(table|footer|filters|blocks|protobuf)|hbase.(filter|hfile|protobuf)|tables.(\w+-table|entries|properties)|pybloom.(file|hashes|scalable))\.ts$/;

/** In the format that Node starts with soonest: as ES modules they take 9 ms longer, with long names 3. A file more takes 0.4. */
const bundle = (input, name, codeSplitting) => ({
  input: { [name]: input },
  platform: 'node',
  treeshake: { moduleSideEffects: 'no-external' },
  external: ['chalk', 'ora', 'xxhashjs'],
  plugins: [withoutUnused, requiringBuiltins],
  output: {
    dir: 'dist/js',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    format: 'cjs',
    minify: true,
    codeSplitting,
  },
});

/** The file of a module; cli-table3 has one already. */
const groupOf = (id) => (READERS.test(id) ? 'readers' : /cli-table3|string-width/.test(id) ? null : 'program');

export default defineConfig([
  bundle('src/cli.ts', 'cli', { groups: [{ name: groupOf, debugName: 'groups' }] }),
  bundle('src/engine/threads/worker.ts', 'worker', false),
]);
