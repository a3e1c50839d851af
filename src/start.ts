// Starts the program with the code that V8 compiled in an earlier run. Compilation takes about a sixth of the CPU time
// of a short command.

import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import packageFile from '../package.json' with { type: 'json' };
import { userCacheFolder } from './io/cache-folder.ts';
import { type CodeCache, codeCacheIn, isCodeName } from './io/code-cache.ts';
import { STDOUT } from './io/descriptors.ts';

/** The folder of the bundle. This file becomes part of the bundle. */
const FOLDER = import.meta.dirname;

/** The form of a `require` between files of the bundle, and the digest at the beginning of each file. */
const OURS = /^\.\/[a-z0-9-]+\.cjs$/;
const DIGEST = /^\/\*([0-9a-f]{16})\*\//;

interface Module {
  readonly exports: object;
}

/** A file of the bundle as a function, as Node wraps it. */
type Run = (exports: object, require: (id: string) => unknown, module: Module, filename: string) => void;

/** Loads the files of the bundle. */
function createLoader(cache: CodeCache): (id: string) => unknown {
  const modules = new Map<string, Module>();
  const load = (id: string): unknown => {
    if (!OURS.test(id)) return require(id);
    const known = modules.get(id);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    modules.set(id, module);
    const filename = join(FOLDER, id);
    compiled(filename, id.slice('./'.length), cache)(module.exports, load, module, filename);
    return module.exports;
  };
  return load;
}

/** A file of the bundle, compiled now or earlier. New code is kept when the program ends. */
function compiled(filename: string, name: string, cache: CodeCache): Run {
  const source = readFileSync(filename, 'latin1');
  const key = keyOf(source, name);
  const cachedData = key === undefined ? undefined : cache.find(key);
  const script = new Script(`(function(exports,require,module,__filename){${source}\n})`, {
    filename,
    ...(cachedData && { cachedData }),
  });
  if (key !== undefined && (cachedData === undefined || script.cachedDataRejected))
    process.once('exit', (status) => {
      if (status <= 1) cache.keep(key, script.createCachedData());
    });
  return script.runInThisContext();
}

/**
 * The name of the code of a source. Undefined if there is no valid name. The name has the digest of the source, because V8 does not check
 * the source of the code. It also has the command, because V8 compiles only the functions that run.
 */
function keyOf(source: string, name: string): string | undefined {
  const [, digest] = DIGEST.exec(source) ?? [];
  const key = [digest, name, process.argv[2], process.version, process.arch].join('-');
  return isCodeName(key) ? key : undefined;
}

/** Whether V8 accepts the code of other runs. It does not accept code from runs with other options. */
function isPossible({ NODE_OPTIONS, NODE_DISABLE_COMPILE_CACHE }: NodeJS.ProcessEnv): boolean {
  return process.execArgv.length === 0 && !NODE_OPTIONS && !NODE_DISABLE_COMPILE_CACHE;
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
  const folder = isPossible(process.env) ? userCacheFolder('code', process.env) : undefined;
  const load = folder === undefined ? require : createLoader(codeCacheIn(folder));
  load('./cli.cjs');
}
