import { openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt, BloomError, causeOf, printable } from '../errors.ts';
import { closeQuietly, readNow } from './descriptors.ts';
import { randomHex } from './random.ts';

/** A temporary file for bytes that are read later. */
export interface TemporaryFile {
  readonly fd: number;
  /** Returns the offset of the bytes. Throws an `output` error if the disk is full. */
  append(bytes: Uint8Array): number;
  /** Passes all bytes to `visit`, at most `most` at a time. Throws an `input` error if bytes are missing. */
  replay(visit: (bytes: Uint8Array) => void, most: number): void;
  close(): void;
}

/** The folder of a temporary file, and the hint of the error if it cannot be written there. */
export interface TemporaryPlace {
  readonly folder: string;
  readonly hint: string;
}

/** The folder for temporary files that the user has set, and an alternative to another folder for the hint. */
export function temporaryPlace(otherHelp = ''): TemporaryPlace {
  return { folder: tmpdir(), hint: `${otherHelp}set TMPDIR to a folder with more space` };
}

/** The folder for data that is kept only until the keys of a build are counted. */
export const untilCounted = (): TemporaryPlace => temporaryPlace('state the number of keys with -n, or ');

/**
 * Opens a temporary file. `content` names its content, such as "digests". The file loses its name at once, so the
 * system removes it however the process ends.
 */
export function openTemporaryFile(content: string, place = temporaryPlace()): TemporaryFile {
  const keeping = <T>(work: () => T) => attempt(work, (cause) => cannotKeep(content, place, cause));
  const name = join(place.folder, `bloom-${randomHex(8)}.${content}`);
  const fd = keeping(() => openSync(name, 'wx+', 0o600));
  keeping(() => {
    try {
      unlinkSync(name);
    } catch (error) {
      closeQuietly(fd);
      throw error;
    }
  });
  let written = 0;
  return {
    fd,
    append(bytes) {
      const at = written;
      for (let done = 0; done < bytes.length; ) {
        const count = keeping(() => writeSync(fd, bytes, done, bytes.length - done, written));
        done += count;
        written += count;
      }
      return at;
    },
    replay(visit, most) {
      const buffer = new Uint8Array(most);
      for (let position = 0; position < written; ) {
        let filled = 0;
        while (filled < buffer.length && position < written) {
          const count = keeping(() => readNow(fd, buffer.subarray(filled), position));
          if (count === 0)
            throw new BloomError('input', `another process truncated the temporary file in ${printable(place.folder)}`);
          filled += count;
          position += count;
        }
        visit(buffer.subarray(0, filled));
      }
    },
    close: () => closeQuietly(fd),
  };
}

function cannotKeep(content: string, { folder, hint }: TemporaryPlace, cause: unknown): BloomError {
  return new BloomError(
    'output',
    `cannot keep the ${content} of the input in ${printable(folder)}: ${causeOf(cause)}`,
    hint,
  );
}
