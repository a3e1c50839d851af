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
import { devNull } from 'node:os';
import { BloomError, errno } from '../errors.ts';
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

/** The device that discards all bytes; undefined if the system has no file for it. */
export function nullDevice(): number | undefined {
  return statSync(devNull, { throwIfNoEntry: false })?.rdev;
}

/**
 * Whether a descriptor is a pipe or a socket. The predicates of Node are always false on Windows, where pipes have the
 * same type as elsewhere.
 */
export function isPipeOrSocket({ mode }: Stats): boolean {
  const type = mode & FILE_TYPE;
  return type === PIPE || type === SOCKET;
}

/** Types of files, after inode(7). Node's constants lack some of them on Windows. */
const FILE_TYPE = 0o170000;
const PIPE = 0o010000;
const SOCKET = 0o140000;

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

/** Renames a file over another file. */
export function renameOver(from: string, to: string): void {
  patiently(() => renameSync(from, to));
}

/**
 * Repeats a change of a name for a second while the system refuses it. Windows refuses to replace an open file, and to
 * remove a file that a program such as a virus scanner reads. The name of a removed file stays in use there until all
 * its readers have closed it. Most files are open only for a moment.
 */
export function patiently<T>(work: () => T): T {
  for (let end: number | undefined; ; nap(RETRY_INTERVAL)) {
    try {
      return work();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      end ??= performance.now() + PATIENCE;
      if (performance.now() > end) throw error;
    }
  }
}

/** Whether the system refused to do something with a file, perhaps only for now. */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.has(errno(error) ?? '');
}

const REFUSALS = new Set(['EPERM', 'EACCES', 'EBUSY']);
const PATIENCE = 1000;
const RETRY_INTERVAL = 20;

/** Whether a rename may have failed because a program has the file open. Windows gives the error of missing rights. */
export function isInUse(error: unknown): boolean {
  const isRename = error instanceof Error && 'syscall' in error && error.syscall === 'rename';
  return IS_WINDOWS && isRename && isRefusal(error);
}

const IS_WINDOWS = process.platform === 'win32';

/** The separator of folders in a name, and whether names with other letter cases mean the same file. */
export const NAME_SEPARATOR = IS_WINDOWS ? /[\\/]/ : /\//;
export const NAMES_IGNORE_CASE = IS_WINDOWS;

/** Whether files have an owner and a mode that say who may read and write them. Windows has access lists instead. */
export const HAS_OWNERS = !IS_WINDOWS;

/**
 * Whether the notes of processes are symbolic links. A link has its text from the beginning. On Windows a link needs a
 * privilege or the developer mode, so two users could not agree on one form.
 */
export const NOTES_ARE_LINKS = !IS_WINDOWS;

/**
 * Ends this process as a signal does that has no handler. On Windows `process.kill` ends a process with status 1, which
 * has another meaning here, so there a signal is an error like others.
 */
export function endBy(signal: NodeJS.Signals): void {
  if (IS_WINDOWS) throw new BloomError('output', `stopped by ${signal}`);
  process.kill(process.pid, signal);
}

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
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const),
  ...(['SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGUSR1', 'SIGUSR2'] as const),
];
