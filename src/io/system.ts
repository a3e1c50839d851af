// What a system may not have, each with what is done without it. Nothing else asks which system this is.

import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  type Stats,
  statSync,
} from 'node:fs';
import { errno } from '../errors.ts';
import { nap } from './nap.ts';

/** The bytes of the command line, of which Node only gives what it decoded; undefined where there is no /proc. */
export function commandLine(): Uint8Array | undefined {
  try {
    return readFileSync('/proc/self/cmdline');
  } catch {
    return undefined;
  }
}

/**
 * A second, non-blocking description of an open pipe, so that one can look whether more is there without changing the
 * description that other processes share; undefined where there is no /proc: every read is a wait then.
 */
export function openWithoutBlocking(fd: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** How an open file may be used, after open(2); undefined where there is no /proc. */
export function accessMode(fd: number): number | undefined {
  try {
    const [, flags] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return flags === undefined ? undefined : Number.parseInt(flags, 8) & ACCESS_MODE;
  } catch {
    return undefined;
  }
}

const ACCESS_MODE = 3;

/**
 * When a process began, in some unit of the system's, or 'ended' if nobody has asked for its status yet; undefined where there is
 * no /proc, or none that shows it. The name in the file is in brackets, and may have any characters.
 */
export function beginningOfProcess(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === ZOMBIE ? 'ended' : fields[FIELDS_BEFORE_START];
  } catch {
    return undefined;
  }
}

const ZOMBIE = 'Z';
const FIELDS_BEFORE_START = 18;

/** Which start of the machine this is, and which numbering of processes: a container has its own. Undefined where there is no /proc. */
export function systemNow(): { readonly boot: string | undefined; readonly numbering: string | undefined } {
  try {
    const [boot] = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').split('-');
    const [numbering] = readlinkSync('/proc/self/ns/pid').match(/\d+/) ?? [];
    return { boot, numbering };
  } catch {
    return { boot: undefined, numbering: undefined };
  }
}

/** The device that swallows everything; undefined where it is no file. */
export function nullDevice(): number | undefined {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

/**
 * Gives a file the owner and mode of another, which stays readable so for whom it was. False if it is somebody else's then, as
 * owners are for root alone to give, on some file systems for nobody. On Windows all files have the same of this kind.
 */
export function keepOwnerAndMode(fd: number, { uid, gid, mode }: Stats): boolean {
  try {
    fchownSync(fd, uid, gid);
  } catch (error) {
    if (!NOT_GIVEN.has(errno(error) ?? '')) throw error;
  }
  fchmodSync(fd, mode & 0o7777);
  const now = fstatSync(fd);
  return now.uid === uid && now.gid === gid;
}

const NOT_GIVEN = new Set(['EPERM', 'ENOSYS', 'ENOTSUP']);

/**
 * Renames a file over another. Where a file that somebody has open cannot be replaced, as on Windows, it is tried for a second:
 * most are open for a moment only.
 */
export function renameOver(from: string, to: string): void {
  for (const end = performance.now() + RENAME_PATIENCE; ; nap(RENAME_INTERVAL)) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (!IN_USE.has(errno(error) ?? '') || performance.now() > end) throw error;
    }
  }
}

const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY']);
const RENAME_PATIENCE = 1000;
const RENAME_INTERVAL = 20;

/** Makes a rename durable, where folders can be synced: not on Windows, nor on every file system. The file is whole either way. */
export function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Then the system decides when the rename is on the disk.
  }
}

/** What ends a process that does not handle it, but for those that tell of its own mistakes. Those that a system does not have never come. */
export const ENDING_SIGNALS = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const),
  ...(['SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGUSR1', 'SIGUSR2'] as const),
];
