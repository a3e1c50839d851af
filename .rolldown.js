// Bundles the program into few files: one for every start, one for the other commands than query, one for rare filters,
// and one for each rarely used package. The programs of threads are separate files.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { declarationsOfEntry } from './.declarations.js';

/**
 * Modules that packages load for features that bloom does not use: commander to start programs, cli-table3 to colour.
 */
const UNUSED = ['node:child_process', '@colors/colors/safe'];

export const withoutUnused = {
  name: 'without-unused',
  resolveId: (id, importer) => (UNUSED.includes(id) && importer.includes('node_modules') ? '\0unused' : null),
  load: (id) => (id === '\0unused' ? 'export default {};' : null),
};

/** Stays outside the bundle: Node warns about its code unless the code is in a package. */
const XXHASHJS = 'xxhashjs';

/**
 * Node's own modules and xxhashjs are required on their first use. import() would load the loader of ES modules, in 8
 * ms.
 */
export const requiring = {
  name: 'requiring',
  renderChunk: (code) =>
    code
      .replace(/\bimport\(([`"']node:[a-z0-9_/]+[`"'])\)/g, 'Promise.resolve().then(()=>require($1))')
      .replace(/\bimport\([`"']xxhashjs[`"']\)/g, `Promise.resolve().then(()=>({default:require('${XXHASHJS}')}))`),
};

/** Escapes letters outside ASCII, so that no file needs decoding. */
const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Each file begins with the digest of the rest, by which `start` finds the code that V8 compiled. Such code must not
 * have import().
 */
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

/** One library serves programs of both module formats, so that they share its objects and classes. */
const forBothFormats = {
  name: 'for-both-formats',
  generateBundle(_, files) {
    const { exports } = files['library.cjs'];
    const source = `import library from './library.cjs';\nexport const { ${exports.join(', ')} } = library;\n`;
    this.emitFile({ type: 'asset', fileName: 'library.mjs', source });
    for (const format of ['cts', 'mts'])
      this.emitFile({
        type: 'asset',
        fileName: `library.d.${format}`,
        source: declarationsOfEntry('library/index.ts'),
      });
  },
};

/** The entries of the reader for browsers. `web` has the types of the others. */
const ENTRIES = {
  web: 'web/index.ts',
  'web-parts': 'web/parts/index.ts',
  'web-bulk': 'web/bulk.ts',
  'web-file-index': 'web/file-index/index.ts',
};

/** An entry of the reader for browsers in one format. Pages load the file as it is, so it is small, and names no module of Node. */
const forBrowsers = (entry, format, extension) => ({
  input: { [entry]: `src/${ENTRIES[entry]}` },
  platform: 'neutral',
  external: [/^node:/, XXHASHJS],
  treeshake: { moduleSideEffects: false },
  plugins: [
    {
      name: 'with-declarations',
      generateBundle() {
        const types =
          entry === 'web'
            ? ''
            : `import type { Key, WebOptions, WebPart, WebSource, WebTraffic } from './web.${extension}';\n`;
        const source = types + declarationsOfEntry(ENTRIES[entry]);
        this.emitFile({ type: 'asset', fileName: `${entry}.d.${extension.replace('js', 'ts')}`, source });
      },
    },
  ],
  output: { dir: 'dist/js', entryFileNames: `${entry}.${extension}`, format, minify: true, codeSplitting: false },
});

/** The file of one of our modules. Throws if the file does not exist: its group would be empty without a warning. */
function moduleNamed(name) {
  const file = fileURLToPath(import.meta.resolve(`./src/${name}.ts`));
  if (!existsSync(file)) throw new Error(`.rolldown.js names src/${name}.ts, which does not exist`);
  return file;
}

/**
 * The modules in `names` and all modules that they load at once. Modules that they load later are included if `follows`
 * says so.
 */
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

/** The file for the modules that load with `names`, unless a group of higher priority has them. */
function groupOf(file, priority, names, follows) {
  let loaded;
  const name = (id, modules) => {
    loaded ??= loadedWith(names, modules, follows);
    return loaded.has(id) ? file : null;
  };
  return { name, priority, debugName: file };
}

/** Modules that do not come from a package. */
const OURS = /^(?!.*node_modules).*.src./;

/** The modules that query filters of other systems, that read and write their files, and that read files on servers. */
const ASKING = ['engine/store/load-arrays', 'engine/store/array-store', 'filters/linked', 'filters/key-ranges'];
const READING = /src.formats.(?!bloomery)/;
const REMOTE = /src.io.remote/;

/**
 * The query command is in the file of every start, because it must answer at once. To compile 1 kB takes 0.03 ms; to
 * load another file takes 0.4 ms.
 */
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

/**
 * Comments are removed, because they take time to read. Lines stay: Node prints the line of an error that a program
 * does not catch.
 */
const READABLE = { compress: true, mangle: false, codegen: { removeWhitespace: false } };

/** CommonJS, which Node starts fastest. ES modules take 9 ms longer, and long names 3 ms. */
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
  bundle('src/engine/threads/start-worker.ts', 'start-worker', false),
  bundle('src/engine/threads/worker.ts', 'worker', false),
  bundle('src/io/remote/http.ts', 'http', false),
  bundle('src/library/index.ts', 'library', false, { plugins: [forBothFormats], minify: READABLE }),
  ...Object.keys(ENTRIES).flatMap((entry) => [forBrowsers(entry, 'es', 'mjs'), forBrowsers(entry, 'cjs', 'cjs')]),
]);
