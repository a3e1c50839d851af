import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BloomError, causeOf } from '../errors.ts';
import { randomHex } from '../io/random.ts';

/** Digests of an input that can be read only once, on disk until the filter has been sized. */
export interface Spill {
  append(digests: Uint8Array): void;
  /** Fills `into` with the next bytes, from the start on; returns fewer only at the end. */
  read(into: Uint8Array): number;
  close(): void;
}

/** Opens a spill in the folder for temporary files. It has no name there, so nothing is left behind however we end. */
export function openSpill(): Spill {
  const file = join(tmpdir(), `bloom-${randomHex(8)}.digests`);
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new BloomError(
        'output',
        `cannot keep the digests of the input in ${tmpdir()}: ${causeOf(error)}`,
        'state the number of keys with -n, or set TMPDIR to a folder with more space',
      );
    }
  };
  const fd = attempt(() => openSync(file, 'wx+', 0o600));
  attempt(() => unlinkSync(file));
  let written = 0;
  let read = 0;
  return {
    append(digests) {
      for (let done = 0; done < digests.length; ) {
        const bytes = attempt(() => writeSync(fd, digests, done, digests.length - done, written));
        done += bytes;
        written += bytes;
      }
    },
    read(into) {
      let done = 0;
      while (done < into.length) {
        const bytes = attempt(() => readSync(fd, into, done, into.length - done, read));
        if (bytes === 0) break;
        done += bytes;
        read += bytes;
      }
      return done;
    },
    close: () => closeSync(fd),
  };
}
