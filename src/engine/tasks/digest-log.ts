import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt, BloomError, causeOf, printable } from '../../errors.ts';
import { randomHex } from '../../io/random.ts';

/** Digests that wait, in their order, until the filter has been sized. */
export interface DigestLog {
  append(digests: Uint8Array): void;
  /** None was given up. */
  isComplete(): boolean;
  /** Hands all of them over, a part at a time. */
  replay(visit: (digests: Uint8Array) => void): void;
  close(): void;
}

/** Keys whose digests a thread keeps in memory. */
export const KEPT_KEYS = 2 ** 20;
const READ_DIGESTS = 16 * 1024;

/**
 * Opens a log of digests of so many bytes. Beyond its share of memory it goes to a temporary file, or is given up if `spills` is
 * false.
 */
export function openDigestLog(spills: boolean, digestBytes = 8): DigestLog {
  const memoryLimit = digestBytes * KEPT_KEYS;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let file: TemporaryFile | undefined;
  return {
    append(digests) {
      bytes += digests.length;
      if (bytes <= memoryLimit) parts.push(digests.slice());
      else if (spills) {
        file ??= openTemporaryFile();
        file.append(digests);
      } else parts.length = 0;
    },
    isComplete: () => spills || bytes <= memoryLimit,
    replay(visit) {
      for (const part of parts) visit(part);
      file?.replay(visit, READ_DIGESTS * digestBytes);
    },
    close: () => file?.close(),
  };
}

interface TemporaryFile {
  append(bytes: Uint8Array): void;
  /** So many bytes at a time. */
  replay(visit: (bytes: Uint8Array) => void, most: number): void;
  close(): void;
}

/** A file in the folder for temporary files. It has no name there, so nothing is left behind however we end. */
function openTemporaryFile(): TemporaryFile {
  const name = join(tmpdir(), `bloom-${randomHex(8)}.digests`);
  const fd = keeping(() => openSync(name, 'wx+', 0o600));
  keeping(() => unlinkSync(name));
  let written = 0;
  return {
    append(bytes) {
      for (let done = 0; done < bytes.length; ) {
        const count = keeping(() => writeSync(fd, bytes, done, bytes.length - done, written));
        done += count;
        written += count;
      }
    },
    replay(visit, most) {
      const buffer = new Uint8Array(most);
      for (let position = 0; position < written; ) {
        let filled = 0;
        while (filled < buffer.length && position < written) {
          const count = keeping(() => readSync(fd, buffer, filled, buffer.length - filled, position));
          if (count === 0)
            throw new BloomError('input', `the temporary file in ${printable(tmpdir())} has lost its end`);
          filled += count;
          position += count;
        }
        visit(buffer.subarray(0, filled));
      }
    },
    close: () => closeSync(fd),
  };
}

function keeping<T>(work: () => T): T {
  return attempt(work, cannotKeep);
}

function cannotKeep(cause: unknown): BloomError {
  return new BloomError(
    'output',
    `cannot keep the digests of the input in ${printable(tmpdir())}: ${causeOf(cause)}`,
    'state the number of keys with -n, or set TMPDIR to a folder with more space',
  );
}
