import { type CacheFolder, UNFINISHED, userCacheFolder } from './cache-folder.ts';

/**
 * Code of earlier runs, each piece under a name. Missing code does no harm, and neither does code that cannot be kept.
 */
export interface CodeCache {
  find(name: string): Buffer | undefined;
  keep(name: string, code: Buffer): void;
}

/**
 * The highest number of pieces in the folder. When it is reached, all pieces are removed, and so those of other
 * releases.
 */
const LIMIT = 64;

/** The name of a piece: digest of the source, name of the source and perhaps the command, version and processor. */
const NAME = /[0-9a-f]{16}-[a-z0-9.-]+-v[0-9.]+-[a-z0-9]+/.source;
const COMPLETE = new RegExp(`^${NAME}$`);
const OURS = new RegExp(`^${NAME}${UNFINISHED}$`);

/** The digest at the beginning of each file of the bundle. */
const DIGEST = /^\/\*([0-9a-f]{16})\*\//;

/** The place of the code of one source. */
export interface KeptCode {
  /** What V8 compiled in an earlier run. */
  readonly code: Buffer | undefined;
  keep(code: Buffer): void;
}

/** The code that the user keeps. Undefined if V8 does not accept the code of other runs, because it has other options now. */
export function userCodeCache(env: NodeJS.ProcessEnv): CodeCache | undefined {
  const { NODE_OPTIONS, NODE_DISABLE_COMPILE_CACHE } = env;
  if (process.execArgv.length > 0 || NODE_OPTIONS || NODE_DISABLE_COMPILE_CACHE) return undefined;
  const folder = userCacheFolder('code', env);
  return folder && codeCacheIn(folder);
}

/**
 * The code of a source, under a name that has the digest of the source, because V8 does not check the source of the code. Undefined if
 * that is no valid name.
 */
export function keptCode(cache: CodeCache, source: string, name: string): KeptCode | undefined {
  const [, digest] = DIGEST.exec(source) ?? [];
  const key = [digest, name, process.version, process.arch].join('-');
  return COMPLETE.test(key) ? { code: cache.find(key), keep: (code) => cache.keep(key, code) } : undefined;
}

/**
 * The code that a user keeps in a folder. V8 runs the code without a check, so the folder must be safe. Each piece is
 * written twice: to compare the halves takes less time than to load a checksum.
 */
export function codeCacheIn(folder: CacheFolder): CodeCache {
  return {
    find(name) {
      const twice = folder.read(name);
      if (twice === undefined) return undefined;
      const [once, again] = [twice.subarray(0, twice.length / 2), twice.subarray(twice.length / 2)];
      return once.equals(again) ? once : undefined;
    },
    keep(name, code) {
      const kept = folder.files(OURS);
      if (kept.length >= LIMIT) for (const other of kept) folder.remove(other.name);
      folder.keep(name, [code, code]);
    },
  };
}
