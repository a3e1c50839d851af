// Features that some systems lack, each with its substitute. No other module checks which system this is.

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

/** The bytes of the command line; undefined without /proc. Node gives only decoded text. */
export function commandLine(): Uint8Array | undefined {
  try {
    return readFileSync('/proc/self/cmdline');
  } catch {
    return undefined;
  }
}

/**
 * Opens an open pipe a second time, without blocking. A reader can then look for bytes, and the description that other
 * processes share does not change. Undefined without /proc: every read then waits.
 */
export function openWithoutBlocking(fd: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** The access mode of an open file, after open(2); undefined without /proc. */
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
 * The start of a process, in a unit of the system, or 'ended' for a zombie. Undefined if /proc is missing or does not
 * show the process. The file has the name of the process in brackets, with any characters.
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

/** The boot of the machine and the PID namespace (a container has its own). Undefined without /proc. */
export function systemNow(): { readonly boot: string | undefined; readonly numbering: string | undefined } {
  try {
    const [boot] = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').split('-');
    const [numbering] = readlinkSync('/proc/self/ns/pid').match(/\d+/) ?? [];
    return { boot, numbering };
  } catch {
    return { boot: undefined, numbering: undefined };
  }
}

/** The null device; undefined if the system has no file for it. */
export function nullDevice(): number | undefined {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

/**
 * Gives a file the owner and mode of another file. Returns false if the owner or group could not be kept: only root can
 * give a file away, and on some file systems nobody can. On Windows all files have the same owner and group here.
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
 * Renames a file over another file. Some systems, such as Windows, do not replace an open file. The rename is then
 * repeated for a second, because most files are open only for a moment.
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

/**
 * Makes a rename durable if the system can sync folders. Windows and some file systems cannot. The file is complete
 * either way.
 */
export function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The system decides when the rename reaches the disk.
  }
}

/**
 * The signals that end a process without a handler, except those that report its own faults. A signal that the system
 * does not have never arrives.
 */
export const ENDING_SIGNALS = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const),
  ...(['SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGUSR1', 'SIGUSR2'] as const),
];
