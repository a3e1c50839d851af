import { closeSync, fstatSync } from 'node:fs';
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
