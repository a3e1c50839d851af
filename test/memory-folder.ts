import { accessSync, constants, statfsSync } from 'node:fs';

/** A folder whose files Linux keeps in memory. */
const IN_MEMORY = '/dev/shm';

/** Many times the size of the files of all tests. */
const LEAST_BYTES = 2 ** 32;

/** Keeps the files of the tests in memory if there is space. Syncing files to a disk takes longer than most tests. */
export function keepFilesInMemory(): void {
  if (process.env.TMPDIR === undefined && hasRoom()) process.env.TMPDIR = IN_MEMORY;
}

function hasRoom(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= LEAST_BYTES;
  } catch {
    return false;
  }
}
