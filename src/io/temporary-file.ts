import { openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt, BloomError, causeOf, printable } from '../errors.ts';
import { closeQuietly, readNow } from './descriptors.ts';
import { randomHex } from './random.ts';

/** A temporary file for bytes that are read later. */
export interface TemporaryFile {
  readonly fd: number;
  /** Returns where the bytes begin. Throws an `output` error if the disk is full. */
  append(bytes: Uint8Array): number;
  /** Passes all bytes to `visit`, at most `most` at a time. Throws an `input` error if bytes are missing. */
  replay(visit: (bytes: Uint8Array) => void, most: number): void;
  close(): void;
}

/**
 * Opens a file in the folder for temporary files. `content` names its content, such as "digests". The file loses its
 * name at once, so the system removes it however the process ends.
 */
export function openTemporaryFile(content: string): TemporaryFile {
  const keeping = <T>(work: () => T) => attempt(work, (cause) => cannotKeep(content, cause));
  const name = join(tmpdir(), `bloom-${randomHex(8)}.${content}`);
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
            throw new BloomError('input', `another process truncated the temporary file in ${printable(tmpdir())}`);
          filled += count;
          position += count;
        }
        visit(buffer.subarray(0, filled));
      }
    },
    close: () => closeQuietly(fd),
  };
}

function cannotKeep(content: string, cause: unknown): BloomError {
  return new BloomError(
    'output',
    `cannot keep the ${content} of the input in ${printable(tmpdir())}: ${causeOf(cause)}`,
    'state the number of keys with -n, or set TMPDIR to a folder with more space',
  );
}
