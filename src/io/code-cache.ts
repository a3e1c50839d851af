import { type CacheFolder, UNFINISHED } from './cache-folder.ts';

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

/** The name of a piece: digest of the source, name of the source, command, version and processor. */
const NAME = /[0-9a-f]{16}-[a-z0-9.-]+-v[0-9.]+-[a-z0-9]+/.source;
const COMPLETE = new RegExp(`^${NAME}$`);
const OURS = new RegExp(`^${NAME}${UNFINISHED}$`);

/** Whether code can be kept under a name. */
export function isCodeName(name: string): boolean {
  return COMPLETE.test(name);
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
