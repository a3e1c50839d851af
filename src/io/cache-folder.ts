import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { HAS_OWNERS } from './system.ts';

/** A folder of files that can be made again. A lost file does no harm, so these functions never throw. */
export interface CacheFolder {
  /** The bytes of a file that belongs to this user; undefined if there is no such file. */
  read(name: string): Buffer | undefined;
  /** Writes a file completely or not at all. After a power cut the file may have any content. */
  keep(name: string, parts: readonly Uint8Array[]): void;
  /** Marks a file as used now. */
  touch(name: string): void;
  remove(name: string): void;
  /**
   * The files whose names match the pattern, with their bytes and the time of their last use in milliseconds. Other
   * files in the folder are not bloom's to remove.
   */
  files(pattern: RegExp): readonly { readonly name: string; readonly bytes: number; readonly used: number }[];
}

/** The end of the name of an unfinished file. A pattern for `files` allows it. */
export const UNFINISHED = /(\.\d+\.part)?/.source;

/**
 * The user's folder for these files; undefined if there is none. Windows does not give Node the owner of a file, so only the folder that
 * Windows itself makes for each user is accepted there. Files in it get its access rights: the user's, the administrators' and the
 * system's.
 */
export function userCacheFolder(
  things: 'code' | 'copies',
  { XDG_CACHE_HOME: cache = '', LOCALAPPDATA: local = '' }: NodeJS.ProcessEnv,
): CacheFolder | undefined {
  if (!HAS_OWNERS) return isAbsolute(local) ? cacheFolder(local, ['bloom', things]) : undefined;
  if (isAbsolute(cache)) return cacheFolder(cache, ['bloom', things]);
  const home = homedir();
  return isAbsolute(home) ? cacheFolder(join(home, '.cache'), ['bloom', things]) : undefined;
}

/**
 * The folder below a root. The folder is used only if it is safe. The root and each folder below it must belong to the
 * user, and no other user may have write access. No folder below the root may be a symbolic link. Then no other user can
 * put or swap a file in it.
 */
export function cacheFolder(root: string, below: readonly string[]): CacheFolder {
  const folders = below.map((_, i) => join(root, ...below.slice(0, i + 1)));
  const folder = folders.at(-1) ?? root;
  const isSafe = () => isOurs(statSync(root)) && folders.every((name) => isOurs(lstatSync(name)));
  let wasSafe: boolean | undefined;
  /** Does some work with a file in the folder. Returns undefined if the folder is not safe or the work fails. */
  const within = <T>(work: () => T): T | undefined =>
    orNothing(() => {
      wasSafe ??= isSafe();
      return wasSafe ? work() : undefined;
    });
  return {
    read: (name) => within(() => read(join(folder, name))),
    keep(name, parts) {
      orNothing(() => {
        if (!isOurs(statSync(existing(root)))) return;
        mkdirSync(root, { recursive: true, mode: 0o700 });
        for (const each of folders) orNothing(() => mkdirSync(each, 0o700));
        wasSafe = isSafe();
      });
      within(() => write(join(folder, name), parts));
    },
    touch(name) {
      const now = new Date();
      within(() => lutimesSync(join(folder, name), now, now));
    },
    remove: (name) => within(() => unlinkSync(join(folder, name))),
    files: (pattern) =>
      within(() =>
        readdirSync(folder)
          .filter((name) => pattern.test(name))
          .flatMap((name) => {
            const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
            return stat?.isFile() ? [{ name, bytes: stat.size, used: stat.mtimeMs }] : [];
          }),
      ) ?? [],
  };
}

/** The folder, or its nearest parent that exists. */
function existing(folder: string): string {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? existing(dirname(folder)) : folder;
}

/**
 * Whether the folder belongs to the user, and only the user can write to it. A user who acts as another user gets no
 * folder, because the files would belong to the other user.
 */
function isOurs(stat: Stats): boolean {
  return stat.isDirectory() && isOnlyForUs(stat);
}

function isOnlyForUs({ uid, mode }: Stats): boolean {
  return !HAS_OWNERS || (uid === process.getuid?.() && (mode & 0o022) === 0);
}

function read(file: string): Buffer | undefined {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || !isOnlyForUs(stat)) return undefined;
    const bytes = Buffer.allocUnsafeSlow(stat.size);
    return readSync(fd, bytes) === bytes.length ? bytes : undefined;
  } finally {
    closeSync(fd);
  }
}

function write(file: string, parts: readonly Uint8Array[]): void {
  const unfinished = `${file}.${process.pid}.part`;
  // O_EXCL does not follow a symbolic link.
  const fd = openSync(unfinished, 'wx', 0o600);
  try {
    try {
      for (const part of parts) if (writeSync(fd, part) < part.length) throw new Error('not all of it was written');
    } finally {
      closeSync(fd);
    }
    renameSync(unfinished, file);
  } catch (error) {
    orNothing(() => unlinkSync(unfinished));
    throw error;
  }
}

function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
