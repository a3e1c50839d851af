// Bundles the program into few files: what starts with every command, what other commands than a query need, what few filters need, and
// each package that few runs need. What threads run are files of their own.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { libraryDeclarations } from './.declarations.js';

/** What packages load for things that we never ask of them: commander to start programs, cli-table3 to colour. */
const UNUSED = ['node:child_process', '@colors/colors/safe'];

export const withoutUnused = {
  name: 'without-unused',
  resolveId: (id, importer) => (UNUSED.includes(id) && importer.includes('node_modules') ? '\0unused' : null),
  load: (id) => (id === '\0unused' ? 'export default {};' : null),
};

/** Stays outside: it does what Node warns of, where that is not in a package. */
const XXHASHJS = 'xxhashjs';

/** What Node has itself, and that, is required when it is used: import() would load the loader of ES modules for it, in 8 ms. */
export const requiring = {
  name: 'requiring',
  renderChunk: (code) =>
    code
      .replace(/\bimport\(([`"']node:[a-z0-9_/]+[`"'])\)/g, 'Promise.resolve().then(()=>require($1))')
      .replace(/\bimport\([`"']xxhashjs[`"']\)/g, `Promise.resolve().then(()=>({default:require('${XXHASHJS}')}))`),
};

/** Letters that ASCII has not are escaped in what starts: so it is no matter of decoding. */
const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Each file begins with the digest of the rest, by which `start` knows what V8 has made of it: there is no import() in such code. */
const withDigests = {
  name: 'with-digests',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (/\bimport\(/.test(file.code)) this.error(`${file.fileName} has an import()`);
      const code = inAscii(file.code);
      file.code = `/*${createHash('sha256').update(code).digest('hex').slice(0, 16)}*/${code}`;
    }
  },
};

/** The library is there for programs of both formats, as one: what they give each other is the same. */
const forBothFormats = {
  name: 'for-both-formats',
  generateBundle(_, files) {
    const { exports } = files['library.cjs'];
    const source = `import library from './library.cjs';\nexport const { ${exports.join(', ')} } = library;\n`;
    this.emitFile({ type: 'asset', fileName: 'library.mjs', source });
    for (const format of ['cts', 'mts'])
      this.emitFile({ type: 'asset', fileName: `library.d.${format}`, source: libraryDeclarations() });
  },
};

/** The file of a module of ours. Throws for a name that no file has: its group would be empty, and nothing else would tell. */
function moduleNamed(name) {
  const file = fileURLToPath(import.meta.resolve(`./src/${name}.ts`));
  if (!existsSync(file)) throw new Error(`.rolldown.js names src/${name}.ts, which does not exist`);
  return file;
}

/** Modules, and all that are loaded with them: at once, and of those that are loaded later what `follows`. */
function loadedWith(names, modules, follows) {
  const found = new Set();
  const left = names.map(moduleNamed);
  while (left.length > 0) {
    const id = left.pop();
    const module = found.has(id) ? null : modules.getModuleInfo(id);
    if (module === null) continue;
    found.add(id);
    left.push(...module.importedIds, ...module.dynamicallyImportedIds.filter(follows));
  }
  return found;
}

/** A file of the modules that are loaded with some, unless they are in one of higher priority. */
function groupOf(file, priority, names, follows) {
  let loaded;
  const name = (id, modules) => {
    loaded ??= loadedWith(names, modules, follows);
    return loaded.has(id) ? file : null;
  };
  return { name, priority, debugName: file };
}

/** What is not of a package. */
const OURS = /^(?!.*node_modules).*.src./;

/** What asks filters of other systems, what reads and makes their files, and what reads those on servers. */
const ASKING = ['engine/store/load-arrays', 'engine/store/array-store', 'filters/linked', 'filters/key-ranges'];
const READING = /src.formats.(?!bloomery)/;
const REMOTE = /src.io.remote/;

/** A query starts with every command, as it is to answer at once. To compile a kB takes 0.03 ms, to load a file more 0.4. */
const GROUPS = [
  groupOf('program', 6, ['cli'], (id) => /commands.query\.ts$/.test(id)),
  { name: 'chalk', priority: 5, test: /node_modules.chalk/ },
  { name: 'cli-table3', priority: 4, test: /node_modules.cli-table3/ },
  { name: 'ora', priority: 3, test: /node_modules/ },
  groupOf('arrays', 2, ASKING, () => false),
  {
    name: 'described',
    priority: 2,
    test: /src.(completion|mistakes|commands.(completion|topics|JSON)|options.described)/,
  },
  groupOf('commands', 1, ['cli'], (id) => OURS.test(id) && !READING.test(id) && !REMOTE.test(id)),
  { name: 'remote', priority: 1, test: REMOTE },
  { name: 'readers', priority: 0, test: OURS },
];

/** Without comments, which take time to read, but in lines: Node prints the one in which an error was thrown that a program does not catch. */
const READABLE = { compress: true, mangle: false, codegen: { removeWhitespace: false } };

/** In the format that Node starts with soonest: as ES modules they take 9 ms longer, with long names 3. */
const bundle = (input, name, codeSplitting, { plugins = [], minify = true } = {}) => ({
  input: { [name]: input },
  platform: 'node',
  moduleTypes: { '.md': 'text' },
  external: [XXHASHJS],
  treeshake: { moduleSideEffects: 'no-external' },
  plugins: [withoutUnused, requiring, withDigests, ...plugins],
  output: {
    dir: 'dist/js',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    format: 'cjs',
    minify,
    codeSplitting,
  },
});

export default defineConfig([
  bundle('src/start.ts', 'start', false),
  bundle('src/cli.ts', 'cli', { groups: GROUPS }),
  bundle('src/engine/threads/worker.ts', 'worker', false),
  bundle('src/io/remote/http.ts', 'http', false),
  bundle('src/library/index.ts', 'library', false, { plugins: [forBothFormats], minify: READABLE }),
]);
