import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { BloomError, causeOf } from '../errors.ts';
import { lookAt } from './look.ts';
import { displayName } from './source.ts';

/** A regular file that is read at any position. */
export interface PositionedFile {
  readonly size: number;
  /** Fills `into` from a position on; returns the bytes read, fewer only at the end of the file. */
  readAt(into: Uint8Array, position: number): number;
  close(): void;
}

/** Opens a regular file; undefined for anything that can only be read in order. Throws an `input` error. */
export function openPositioned(name: string): PositionedFile | undefined {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new BloomError('input', `cannot read ${displayName(name)}: ${causeOf(error)}`);
    }
  };
  // Looked at before it is opened: whoever writes into a pipe would notice that it is opened and closed again.
  if (name === '-' || lookAt(name)?.isFile() === false) return undefined;
  const fd = attempt(() => openSync(name, 'r'));
  return {
    size: attempt(() => fstatSync(fd)).size,
    readAt(into, position) {
      let done = 0;
      while (done < into.length) {
        const bytes = attempt(() => readSync(fd, into, done, into.length - done, position + done));
        if (bytes === 0) break;
        done += bytes;
      }
      return done;
    },
    close: () => closeSync(fd),
  };
}
