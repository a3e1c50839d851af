// Bundles the program into one file, so that it starts in half the time, but for what reads some files of other systems; the packages that
// few runs need stay outside and are loaded when they do. What threads run are files of their own.

import { fileURLToPath } from 'node:url';
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

/** The modules that some load at once. */
function loadedWith(names, modules) {
  const found = new Set();
  const left = names.map((name) => fileURLToPath(import.meta.resolve(`./src/${name}.ts`)));
  while (left.length > 0) {
    const id = left.pop();
    const module = found.has(id) ? null : modules.getModuleInfo(id);
    if (module === null) continue;
    found.add(id);
    left.push(...module.importedIds);
  }
  return found;
}

/** A file of what some modules load, unless it is in a file of higher priority. */
function groupOf(file, priority, names) {
  let loaded;
  const name = (id, modules) => {
    loaded ??= loadedWith(names, modules);
    return loaded.has(id) ? file : null;
  };
  return { name, priority, debugName: file };
}

/** What starts at once and is to answer at once, the other commands, what reads files of other systems, and what reads those on servers. */
const GROUPS = [
  groupOf('program', 3, ['cli', 'commands/query']),
  groupOf(
    'commands',
    2,
    ['size', 'build', 'digest', 'count', 'add', 'remove', 'merge', 'stats', 'formats', 'lasting-filter'].map(
      (name) => `commands/${name}`,
    ),
  ),
  { name: 'readers', priority: 1, test: /src.formats/ },
  { name: 'remote', priority: 1, test: /src.io.remote/ },
];

export default defineConfig([
  bundle('src/cli.ts', 'cli', { groups: GROUPS }),
  bundle('src/engine/threads/worker.ts', 'worker', false),
  bundle('src/io/remote/http.ts', 'http', false),
]);
