import { constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { hostname } from 'node:os';
import { errno } from '../errors.ts';
import { closeQuietly } from './descriptors.ts';
import { beginningOfProcess, isRefusal, systemNow } from './system.ts';

/** A process that holds a file, as a note beside the file says. */
interface Holder {
  readonly pid: number;
  /**
   * The start of the process, in the unit of its system. It tells the process from a later process with the same
   * number.
   */
  readonly begun: string;
  /**
   * The boot of the machine and the PID namespace (a container has its own); undefined if the note does not name them.
   */
  readonly boot: string | undefined;
  readonly numbering: string | undefined;
  readonly host: string;
}

/** What has the name of a note. */
export type Standing =
  /** 'left': the note of a process that has ended. 'unfinished': a note that is perhaps being written. */
  | { readonly type: 'nothing' | 'left' | 'unfinished' | 'no note' }
  /** 'held': the process lives on this machine. 'elsewhere': only another machine or container knows the process. */
  | { readonly type: 'held' | 'elsewhere'; readonly holder: Holder };

/** Stands for a value that the system does not tell. */
const UNKNOWN = '-';

/** The text of this process's note: "PID BEGUN@BOOT@NUMBERING HOST". */
export function ownNote(): string {
  const { boot = UNKNOWN, numbering = UNKNOWN } = systemNow();
  return `${process.pid} ${beginningOfProcess(process.pid) ?? UNKNOWN}@${boot}@${numbering} ${hostname()}`;
}

/**
 * Looks at what has the name of a note: a symbolic link or, on a file system without links, a file. Never waits, and
 * never follows a link.
 */
export function standingAt(name: string): Standing {
  let note: Note;
  try {
    note = read(name);
  } catch (error) {
    if (errno(error) === 'ENOENT') return { type: 'nothing' };
    // Windows refuses to describe a note that is being removed.
    return { type: isRefusal(error) ? 'unfinished' : 'no note' };
  }
  const [, pid, origin = '', host = ''] = /^(\d+) (\S+) (.*)\n$/.exec(note.text) ?? [];
  if (pid !== undefined) {
    const [begun = '', boot, numbering] = origin.split('@');
    const holder = { pid: Number(pid), begun, boot, numbering, host };
    const ended = hasEnded(holder);
    return ended === true ? { type: 'left' } : { type: ended === false ? 'held' : 'elsewhere', holder };
  }
  if (note.text !== '') return { type: 'no note' };
  return { type: note.age > WRITING_TIME ? 'left' : 'unfinished' };
}

/** Milliseconds after which an empty note counts as left behind. To write a note takes less than one millisecond. */
const WRITING_TIME = 3_000;

/** The text of a note, and the milliseconds since it was written. */
interface Note {
  readonly text: string;
  readonly age: number;
}

/** The most bytes that a note can have. */
const MOST = 1024;

/** Throws the errors of the system, and an error if the name is neither a link nor a file. */
function read(name: string): Note {
  const stat = lstatSync(name);
  if (stat.isSymbolicLink()) return { text: `${readlinkSync(name)}\n`, age: 0 };
  if (!stat.isFile()) throw new Error('not a file');
  // The file may have become a pipe: without O_NONBLOCK the open would wait for a writer.
  const fd = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(MOST);
    return { text: bytes.toString('utf8', 0, readSync(fd, bytes)), age: Date.now() - fstatSync(fd).mtimeMs };
  } finally {
    closeQuietly(fd);
  }
}

/**
 * Whether a process has ended; undefined if this system cannot know, because the process is on another machine or in
 * another container.
 */
function hasEnded({ pid, begun, boot, numbering, host }: Holder): boolean | undefined {
  if (host !== hostname()) return undefined;
  const now = systemNow();
  if (differ(boot, now.boot)) return true;
  if (differ(numbering, now.numbering)) return undefined;
  // The start is read before the signal is sent: if the process ends in between, the signal shows it.
  const began = beginningOfProcess(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Other errors mean that the process lives, perhaps as another user's.
    if (errno(error) === 'ESRCH') return true;
  }
  return differ(begun, began);
}

/** Whether both values are known and differ. */
function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a !== UNKNOWN && b !== undefined && a !== b;
}
