// Starts the program with the code that V8 compiled in an earlier run. Compilation takes about a sixth of the CPU time
// of a short command.

import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { type BundleScript, bundleScript } from './io/bundle-script.ts';
import { type CodeCache, keptCode, userCodeCache } from './io/code-cache.ts';
import { STDOUT } from './io/descriptors.ts';

/** The folder of the bundle. This file becomes part of the bundle. */
const FOLDER = import.meta.dirname;

/** The form of a `require` between files of the bundle. */
const OURS = /^\.\/[a-z0-9-]+\.cjs$/;

/** Loads the files of the bundle. */
function createLoader(cache: CodeCache): (id: string) => unknown {
  const modules = new Map<string, { readonly exports: object }>();
  const load = (id: string): unknown => {
    if (!OURS.test(id)) return require(id);
    const known = modules.get(id);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(id, module);
    const filename = join(FOLDER, id);
    compiled(filename, id.slice('./'.length), cache)(module.exports, load, module, filename);
    return module.exports;
  };
  return load;
}

/** A file of the bundle, compiled now or earlier. New code is kept when the program ends. */
function compiled(filename: string, name: string, cache: CodeCache): BundleScript['run'] {
  const source = readFileSync(filename, 'latin1');
  // Each command has its own code, because V8 compiles only the functions that run.
  const kept = keptCode(cache, source, `${name}-${process.argv[2] ?? ''}`);
  const { run, isNew, code } = bundleScript(filename, source, kept?.code);
  if (isNew && kept !== undefined)
    process.once('exit', (status) => {
      if (status <= 1) kept.keep(code());
    });
  return run;
}

/**
 * Prints the version if nothing else is requested. Returns false if the version cannot be printed; the program then
 * reports why.
 */
function printsVersion([, , flag, ...others]: readonly string[]): boolean {
  if ((flag !== '--version' && flag !== '-V') || others.length > 0) return false;
  const line = `${packageFile.version}\n`;
  try {
    return writeSync(STDOUT, line) === line.length;
  } catch {
    return false;
  }
}

if (!printsVersion(process.argv)) {
  const cache = userCodeCache(process.env);
  const load = cache === undefined ? require : createLoader(cache);
  load('./cli.cjs');
}
