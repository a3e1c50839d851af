import { closeSync, fstatSync, read, readSync, type Stats } from 'node:fs';
import { errno } from '../errors.ts';
import { accessMode, isPipeOrSocket, nullDevice } from './system.ts';

/** The descriptors that every process has. */
export const STDIN = 0;
export const STDOUT = 1;
export const STDERR = 2;

const READ_WRITE = 2;

/**
 * Whether a descriptor was closed when the process started: Node then opens /dev/null for reading and writing in its
 * place. A shell opens /dev/null for only one of the two; some programs do as Node does. False if the system does not
 * tell.
 */
export function wasClosed(fd: number): boolean {
  return statOf(fd)?.rdev === nullDevice() && accessMode(fd) === READ_WRITE;
}

/**
 * The state of a descriptor. Undefined if the system does not tell: some standard streams of Windows are neither files
 * nor pipes nor terminals.
 */
export function statOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    return undefined;
  }
}

/** Whether another process reads the bytes that are written to a descriptor. */
export function isPipe(fd: number): boolean {
  const stat = statOf(fd);
  return stat !== undefined && isPipeOrSocket(stat);
}

/** Closes a file that was only read, or after another failure. Errors of the close are ignored. */
export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The descriptor is closed despite the error; see close(2).
  }
}

/**
 * Reads from a position, or from the descriptor's own position if `position` is null. Repeats a read that a signal
 * interrupted; libuv does this for every other call.
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

/** Like `readNow`, but timers and signals are handled meanwhile. */
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
