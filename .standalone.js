// Makes one executable, dist/bloom, from the program and the running Node: Node's single executable application. It
// includes the files that the package reads.

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { requiring, withoutUnused } from './.rolldown.js';

const OUTPUT = 'dist/bloom';

/** The marker by which Node finds the data that was added to it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const POSTJECT = fileURLToPath(import.meta.resolve('postject/dist/cli.js'));

/** Modules that name files of the package. Other modules replace them. */
const REPLACED = ['kernel-file.ts', 'worker-program.ts', 'remote-program.ts'];

const fromAssets = {
  name: 'from-assets',
  resolveId: (id) =>
    REPLACED.includes(basename(id)) ? fileURLToPath(new URL(`src/standalone/${basename(id)}`, import.meta.url)) : null,
};

/** Node warns about a call in xxhashjs unless the call is in a package. */
const withoutWarning = {
  name: 'without-warning',
  transform: (code, id) => (/node_modules.xxhashjs/.test(id) ? code.replaceAll('new Buffer(', 'Buffer.alloc(') : null),
};

/** Bundles a program into one file: a script for the start, a module for a thread. */
async function bundled(input, file, format) {
  await build({
    input,
    platform: 'node',
    moduleTypes: { '.md': 'text' },
    treeshake: { moduleSideEffects: 'no-external' },
    plugins: [withoutUnused, withoutWarning, fromAssets, ...(format === 'cjs' ? [requiring] : [])],
    output: { file, format, minify: true, codeSplitting: false },
    logLevel: 'warn',
  });
}

/**
 * Runs Node. The output is shown only after a failure, because it has warnings about sections that a stripped Node
 * lacks.
 */
const run = (...args) => execFileSync(process.execPath, args, { stdio: 'pipe' });

const folder = mkdtempSync(join(tmpdir(), 'bloomery-standalone-'));
const within = (name) => join(folder, name);
try {
  await bundled('src/cli.ts', within('cli.cjs'), 'cjs');
  await bundled('src/standalone/worker.ts', within('worker.mjs'), 'es');
  await bundled('src/io/remote/http.ts', within('http.mjs'), 'es');
  const config = {
    main: within('cli.cjs'),
    output: within('blob'),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: { 'kernel.wasm': 'dist/kernel.wasm', 'worker.mjs': within('worker.mjs'), 'http.mjs': within('http.mjs') },
  };
  writeFileSync(within('config.json'), JSON.stringify(config));
  run('--experimental-sea-config', within('config.json'));
  copyFileSync(process.execPath, within('bloom'));
  chmodSync(within('bloom'), 0o755);
  run(POSTJECT, within('bloom'), 'NODE_SEA_BLOB', within('blob'), '--sentinel-fuse', FUSE);
  copyFileSync(within('bloom'), OUTPUT);
} finally {
  rmSync(folder, { recursive: true });
}
