import { constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { hostname } from 'node:os';
import { errno } from '../errors.ts';
import { closeQuietly } from './descriptors.ts';
import { beginningOfProcess, systemNow } from './system.ts';

/** A process that has a file for itself, as a note beside the file says. */
interface Holder {
  readonly pid: number;
  /** When it began, as its system counts: another process with the same number is not taken for it. */
  readonly begun: string;
  /** Which start of its machine, and which numbering of processes (a container has its own); undefined if the note does not say. */
  readonly boot: string | undefined;
  readonly numbering: string | undefined;
  readonly host: string;
}

/** What stands under the name of a note. */
export type Standing =
  /** 'left' is a note of a process that has ended, 'unfinished' one that is perhaps being written. */
  | { readonly type: 'nothing' | 'left' | 'unfinished' | 'no note' }
  /** Of a process here that lives, or of one that only another machine or container knows. */
  | { readonly type: 'held' | 'elsewhere'; readonly holder: Holder };

/** Stands for what no system tells. */
const UNTOLD = '-';

/** What the note of this process says: "PID BEGUN@BOOT@NUMBERING HOST". */
export function ownNote(): string {
  const { boot = UNTOLD, numbering = UNTOLD } = systemNow();
  return `${process.pid} ${beginningOfProcess(process.pid) ?? UNTOLD}@${boot}@${numbering} ${hostname()}`;
}

/** Looks at what has the name of a note: a symbolic link or, without these, a file. Never waits, and never follows a link. */
export function standingAt(name: string): Standing {
  let note: Note;
  try {
    note = read(name);
  } catch (error) {
    return { type: errno(error) === 'ENOENT' ? 'nothing' : 'no note' };
  }
  const [, pid, told = '', host = ''] = /^(\d+) (\S+) (.*)\n$/.exec(note.text) ?? [];
  if (pid !== undefined) {
    const [begun = '', boot, numbering] = told.split('@');
    const holder = { pid: Number(pid), begun, boot, numbering, host };
    const ended = hasEnded(holder);
    return ended === true ? { type: 'left' } : { type: ended === false ? 'held' : 'elsewhere', holder };
  }
  if (note.text !== '') return { type: 'no note' };
  return { type: note.age > WRITING_TIME ? 'left' : 'unfinished' };
}

/** Milliseconds after which no process is still about to write its note, which takes less than one. */
const WRITING_TIME = 3_000;

/** What a note says, and the milliseconds since it was written. */
interface Note {
  readonly text: string;
  readonly age: number;
}

/** Bytes of a note at most. */
const MOST = 1024;

/** Throws what the system throws, and for what is neither a link nor a file. */
function read(name: string): Note {
  const stat = lstatSync(name);
  if (stat.isSymbolicLink()) return { text: `${readlinkSync(name)}\n`, age: 0 };
  if (!stat.isFile()) throw new Error('not a file');
  // It may be a pipe by now: without O_NONBLOCK the open would wait for a writer.
  const fd = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(MOST);
    return { text: bytes.toString('utf8', 0, readSync(fd, bytes)), age: Date.now() - fstatSync(fd).mtimeMs };
  } finally {
    closeQuietly(fd);
  }
}

/** Whether a process has ended; undefined if that cannot be known here: it is of another machine or container. */
function hasEnded({ pid, begun, boot, numbering, host }: Holder): boolean | undefined {
  if (host !== hostname()) return undefined;
  const now = systemNow();
  if (differ(boot, now.boot)) return true;
  if (differ(numbering, now.numbering)) return undefined;
  // First when it began: it may end meanwhile, and then the second look tells.
  const began = beginningOfProcess(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It may be another user's.
    if (errno(error) === 'ESRCH') return true;
  }
  return differ(begun, began);
}

/** Whether two answers of a system are known and differ. */
function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a !== UNTOLD && b !== undefined && a !== b;
}
