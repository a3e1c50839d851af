import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { BloomError, causeOf } from '../errors.ts';
import { displayName, lookAt } from './look.ts';

/** A regular file that is read at any position. Every thread of the process may: its descriptor is the same for all. */
export interface PositionedFile {
  /** For messages. */
  readonly name: string;
  readonly fd: number;
  readonly size: number;
}

/** Opens a regular file; undefined for anything that can only be read in order. Throws an `input` error. */
export function openPositioned(file: string): PositionedFile | undefined {
  // Looked at before it is opened: whoever writes into a pipe would notice that it is opened and closed again.
  if (file === '-' || lookAt(file)?.isFile() === false) return undefined;
  const name = displayName(file);
  const fd = attempt(name, () => openSync(file, 'r'));
  return { name, fd, size: attempt(name, () => fstatSync(fd)).size };
}

/** Fills `into` from a position on; returns the bytes read, fewer only at the end of the file. */
export function readAt({ name, fd }: PositionedFile, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const bytes = attempt(name, () => readSync(fd, into, done, into.length - done, position + done));
    if (bytes === 0) break;
    done += bytes;
  }
  return done;
}

/** Closes the file, for all threads. */
export function closePositioned({ fd }: PositionedFile): void {
  closeSync(fd);
}

function attempt<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new BloomError('input', `cannot read ${name}: ${causeOf(error)}`);
  }
}
