import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Code of earlier runs, each piece under a name. It is no loss if there is none, or none can be kept. */
export interface CodeCache {
  find(name: string): Buffer | undefined;
  keep(name: string, code: Buffer): void;
}

/** Pieces of code in the folder, at most: what is left of other releases goes when there are more. */
const LIMIT = 64;

/**
 * The code that a user keeps in a folder. V8 runs what it is given, without a look at it: so nobody else may be able to write
 * there, and everything is written twice, as to compare that takes less time than to load what makes checksums.
 */
export function codeCacheIn(folder: string): CodeCache {
  return {
    find: (name) =>
      orNothing(() => {
        if (!isOurs(folder)) return undefined;
        const twice = readFileSync(join(folder, name));
        const [once, again] = [twice.subarray(0, twice.length / 2), twice.subarray(twice.length / 2)];
        return once.equals(again) ? once : undefined;
      }),
    keep: (name, code) =>
      orNothing(() => {
        if (!isOurs(existing(folder))) return;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isOurs(folder)) return;
        if (readdirSync(folder).length >= LIMIT) for (const other of readdirSync(folder)) rmSync(join(folder, other));
        write(join(folder, name), [code, code]);
      }),
  };
}

/** The folder, or that in which it would be made. */
function existing(folder: string): string {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? existing(dirname(folder)) : folder;
}

/** Whether a folder is the user's, and only the user writes there. Who is another one for a while has no folder of its own. */
function isOurs(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** Writes a file whole or not at all; what a power cut leaves of it is none, as its halves differ. */
function write(file: string, parts: readonly Uint8Array[]): void {
  const temporary = `${file}.${process.pid}`;
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    for (const part of parts) if (writeSync(fd, part) < part.length) throw new Error('it was not written whole');
    renameSync(temporary, file);
  } finally {
    closeSync(fd);
    rmSync(temporary, { force: true });
  }
}

function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
