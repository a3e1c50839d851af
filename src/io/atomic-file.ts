import {
  accessSync,
  closeSync,
  constants,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  type Stats,
  write,
} from 'node:fs';
import { dirname, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, BloomError, ClosedPipe, causeOf, errno } from '../errors.ts';
import { requireApart } from './apart.ts';
import { closeQuietly, STDOUT, wasClosed } from './descriptors.ts';
import { locked } from './lock.ts';
import { displayName, isObjectName, isUrl, lookAt, stateOf } from './look.ts';
import { removeOwn } from './remove-at-end.ts';
import { ownerLost, remarksOn, requireUnprotected } from './replaced.ts';
import { isOfClosedPipe } from './sink.ts';
import { isInUse, keepOwnerAndMode, renameOver, syncFolder } from './system.ts';
import { openTemporarySibling } from './temporary-sibling.ts';
import { isTerminal } from './terminal.ts';

/** Appends bytes to the file that is being written. */
export type Append = (bytes: Uint8Array) => Promise<void>;

/** Writes the content of a file. Other threads can write to the descriptor `fd` too. */
export type Produce = (append: Append, fd: number) => Promise<void>;

export interface Output {
  /** The name that the user gave; '-' is the standard output. */
  readonly name: string;
  /** Allows the replacement of an existing file. */
  readonly replace: boolean;
  /** Refuses to replace a write-protected file, or a file that would get another owner or group. */
  readonly respectsProtection?: boolean;
  /** The content is text, so the output may be a terminal that is named as a device. */
  readonly isText?: boolean;
  /**
   * The state that `stateOf` gave for the file before the change. The file is replaced only while it is in this state.
   */
  readonly unchangedSince?: string | undefined;
  /** Gets the state of the written file, as `stateOf` gives it, before another process can change the file. */
  readonly onPlaced?: (state: string | undefined) => void;
  /**
   * Closes the file that is replaced, if it was read until now: Windows does not replace an open file. Called when the
   * content is complete.
   */
  readonly onComplete?: () => void;
  /** Receives the bytes instead of a file. */
  readonly append?: Append;
}

const TERMINAL_REFUSED = 'refusing to write binary data to the terminal';
const CLOSED_HINT = 'redirect it; > /dev/null discards the filter';
const OVERWRITE_HINT = 'choose another name, or add --force to replace it';
const IN_USE_HINT = 'another program may have it open: close that, and run the command again';
const TERMINAL_HINT = 'name a file with -o, or redirect the output';

/** The descriptor that `produce` gets if there is no file. */
const NO_FILE = -1;

/** Milliseconds between two attempts to write to a full non-blocking pipe. */
const RETRY_INTERVAL = 1;

/**
 * Throws the errors of `writeOutput` before any work: the output is a terminal, a folder, an input, or an existing file
 * without permission to replace it. `apartHint` is the hint of the error for an input. Returns remarks for the user,
 * which are printed after the file is written.
 */
export async function checkOutput(
  output: Output,
  inputs: readonly string[],
  apartHint?: string,
): Promise<readonly string[]> {
  if (output.name === '-') {
    if (await isTerminal(STDOUT)) {
      throw new BloomError('output', TERMINAL_REFUSED, TERMINAL_HINT);
    }
    if (wasClosed(STDOUT))
      throw new BloomError('output', 'cannot write standard output: it seems to be closed', CLOSED_HINT);
    requireApart(inputs);
    return [];
  }
  const name = displayName(output.name);
  if (isUrl(output.name) || isObjectName(output.name))
    throw new BloomError(
      'output',
      `cannot write ${name}: bloom does not write to servers`,
      'write a local file, and upload it',
    );
  const existing = lookAt(output.name);
  if (existing === undefined) {
    checkNewName(output.name);
    return [];
  }
  if (existing.isDirectory())
    throw new BloomError('output', `cannot write ${name}: it is a directory`, 'name a file in it');
  requireApart(inputs, existing, apartHint);
  if (!existing.isFile()) return [];
  if (!output.replace) throw new BloomError('output', `${name} exists already`, OVERWRITE_HINT);
  if (output.respectsProtection) requireUnprotected(output.name, name, existing);
  requireWritable(name, dirname(writing(name, () => realpathSync(output.name))));
  return remarksOn(name, existing);
}

function checkNewName(file: string): void {
  const name = displayName(file);
  if (isLink(file)) {
    throw new BloomError(
      'output',
      `cannot write ${name}: it is a symbolic link to a missing file`,
      'name the file that the link should point to',
    );
  }
  if (file.endsWith('/') || file.endsWith(sep))
    throw new BloomError('output', `cannot write ${name}: it names a folder`, 'name a file, in a folder that exists');
  const folder = dirname(file);
  if (!lookAt(folder)?.isDirectory()) {
    throw new BloomError('output', `cannot write ${name}: there is no folder ${displayName(folder)}`);
  }
  requireWritable(name, folder);
}

/** The output is a new file in the folder, so only the rights to the folder matter. */
function requireWritable(name: string, folder: string): void {
  writing(name, () => accessSync(folder, constants.W_OK | constants.X_OK));
}

/**
 * Writes a file completely or not at all: bloom fills a temporary sibling, syncs it and renames it over the target.
 * After an error or a signal the target is unchanged, and the sibling is removed. Pipes and devices are written to
 * directly.
 */
export async function writeOutput(output: Output, produce: Produce): Promise<void> {
  if (output.append !== undefined) return produce(output.append, NO_FILE);
  if (output.name === '-') return appendTo(STDOUT, 'standard output', produce);
  const name = displayName(output.name);
  const existing = lookAt(output.name);
  if (existing !== undefined && !existing.isFile()) {
    const fd = writing(name, () => openSync(output.name, constants.O_WRONLY));
    return closedAfter(fd, name, async () => {
      if (!output.isText && (await isTerminal(fd))) throw new BloomError('output', TERMINAL_REFUSED, TERMINAL_HINT);
      await appendTo(fd, name, produce);
    });
  }
  // If the name is a symbolic link, the file behind the link is replaced, not the link.
  const target = existing === undefined ? output.name : writing(name, () => realpathSync(output.name));
  const temporary = writing(name, () => openTemporarySibling(target, existing?.mode ?? 0o666));
  try {
    await fillAndPlace(temporary.fd, { ...output, name }, temporary.name, target, existing, produce);
  } finally {
    temporary.remove();
  }
}

/** Fills the temporary file and moves it to its name. */
async function fillAndPlace(
  fd: number,
  { name, replace, respectsProtection = false, unchangedSince, onComplete, onPlaced }: Output,
  temporary: string,
  target: string,
  existing: Stats | undefined,
  produce: Produce,
): Promise<void> {
  try {
    await closedAfter(fd, name, async () => {
      if (existing !== undefined && !keepOwnerAndMode(fd, existing) && respectsProtection) throw ownerLost(name);
      await synced(fd, (onWritten) => appendTo(fd, name, produce, onWritten));
    });
    onComplete?.();
    await locked(target, () => {
      if (unchangedSince !== undefined) requireUnchanged(target, name, unchangedSince);
      place(temporary, target, replace);
      onPlaced?.(stateOf(target));
    });
    syncFolder(dirname(target));
  } catch (error) {
    if (error instanceof BloomError) throw error;
    if (errno(error) === 'EEXIST') {
      throw new BloomError('changed', `${name} exists already: another process has just made it`, OVERWRITE_HINT);
    }
    throw cannotWrite(name, error);
  }
}

/**
 * Does some work with an open file and closes the file. A failed close counts as a failed write: some file systems
 * report a failed write only at the close.
 */
async function closedAfter(fd: number, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
  writing(name, () => closeSync(fd));
}

/** Throws a `changed` error if the file is no longer in the state in which it was read. */
function requireUnchanged(target: string, name: string, state: string): void {
  if (stateOf(target) !== state) {
    throw new BloomError(
      'changed',
      `${name} was changed by another process, and was left as it is`,
      'run the command again',
    );
  }
}

/** Whether the name is a symbolic link. Throws if no file can have this name. */
function isLink(name: string): boolean {
  return writing(displayName(name), () => lstatSync(name, { throwIfNoEntry: false }))?.isSymbolicLink() === true;
}

/** Bytes after which a sync begins, so that the last sync does not have to write the whole file. */
const SYNCED_BYTES = 2 ** 27;

/** Calls `write` and makes its bytes durable. Syncs run while further bytes are written. */
async function synced(fd: number, write: (onWritten: (bytes: number) => void) => Promise<void>): Promise<void> {
  let [waiting, isSyncing] = [0, false];
  let syncing = Promise.resolve();
  const begin = async () => {
    isSyncing = true;
    await syncLater(fd);
    isSyncing = false;
  };
  try {
    await write((bytes) => {
      waiting += bytes;
      // A failed sync is not repeated: the system reports a failure only once.
      if (waiting < SYNCED_BYTES || isSyncing) return;
      waiting = 0;
      syncing = begin();
      syncing.catch(() => {});
    });
  } finally {
    await Promise.allSettled([syncing]);
  }
  await syncing;
  await syncLater(fd);
}

/** Makes the bytes durable. Signals are handled meanwhile. */
function syncLater(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => (error ? reject(error) : resolve()));
  });
}

function writing<T>(name: string, work: () => T): T {
  return attempt(work, (cause) => cannotWrite(name, cause));
}

function cannotWrite(name: string, cause: unknown): BloomError {
  return new BloomError('output', `cannot write ${name}: ${causeOf(cause)}`, isInUse(cause) ? IN_USE_HINT : undefined);
}

async function appendTo(
  fd: number,
  name: string,
  produce: Produce,
  onWritten: (bytes: number) => void = () => {},
): Promise<void> {
  await produce(async (bytes) => {
    for (let done = 0; done < bytes.length; ) {
      try {
        done += await writeLater(fd, bytes, done);
      } catch (error) {
        if (errno(error) === 'EAGAIN') {
          await sleep(RETRY_INTERVAL);
          continue;
        }
        if (isOfClosedPipe(error)) throw new ClosedPipe(true);
        throw cannotWrite(name, error);
      }
    }
    onWritten(bytes.length);
  }, fd);
}

/** Writes once, asynchronously: signals are handled between two writes. */
function writeLater(fd: number, bytes: Uint8Array, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, from, bytes.length - from, null, (error, written) => (error ? reject(error) : resolve(written)));
  });
}

/**
 * Moves the finished file to its name. If `replace` is false, a hard link takes the place of the rename, because a link
 * never overwrites a file.
 */
function place(temporary: string, target: string, replace: boolean): void {
  if (!replace) {
    try {
      linkSync(temporary, target);
      removeOwn(temporary);
      return;
    } catch (error) {
      if (errno(error) === 'EEXIST') throw error;
      // The file system has no hard links, so the rename below is the best way.
    }
  }
  renameOver(temporary, target);
}
