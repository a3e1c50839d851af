import { closeSync, fstatSync, read, readSync } from 'node:fs';
import { errno } from '../errors.ts';
import { accessMode, nullDevice } from './system.ts';

/** The descriptors that every process has. */
export const STDIN = 0;
export const STDOUT = 1;
export const STDERR = 2;

const READ_WRITE = 2;

/**
 * Whether a descriptor was closed when we were started: Node puts /dev/null in its place, open for reading and writing.
 * A shell that means /dev/null opens it for one of the two; some programs do as Node does. False where nobody can tell.
 */
export function wasClosed(fd: number): boolean {
  try {
    return fstatSync(fd).rdev === nullDevice() && accessMode(fd) === READ_WRITE;
  } catch {
    return false;
  }
}

/** Whether what is written to a descriptor goes to another process. */
export function isPipe(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** Closes a file that was only read, or after another failure: an error of the close itself changes nothing. */
export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The descriptor is closed all the same, after close(2).
  }
}

/**
 * Reads from a position on, or from where the descriptor stands if that is null. A read that a signal interrupts is repeated: libuv
 * does so for all other calls.
 */
export function readNow(fd: number, into: Uint8Array, position: number | null): number {
  for (;;) {
    try {
      return readSync(fd, into, 0, into.length, position);
    } catch (error) {
      if (errno(error) !== INTERRUPTED) throw error;
    }
  }
}

/** Like `readNow`, but timers and signals go on meanwhile. */
export async function readLater(fd: number, into: Uint8Array, position: number | null): Promise<number> {
  for (;;) {
    try {
      return await new Promise((resolve, reject) => {
        read(fd, into, 0, into.length, position, (error, bytes) => (error ? reject(error) : resolve(bytes)));
      });
    } catch (error) {
      if (errno(error) !== INTERRUPTED) throw error;
    }
  }
}

const INTERRUPTED = 'EINTR';
