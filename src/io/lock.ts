import { closeSync, openSync, unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BloomError, errno, printable } from '../errors.ts';
import { siblingOf } from './sibling.ts';

/** What is done under a lock takes less than a millisecond: one that stands so long was left by a killed process. */
const PATIENCE = 3_000;
const RETRY_INTERVAL = 5;

/**
 * Does some short work while no other process that takes the same lock does: a file beside the target that only one of
 * them can create. Throws an `output` error if it is not to be had. A lock that was left behind is not taken away, as
 * of two processes that did so the second would take away that of the first.
 */
export async function locked<T>(target: string, work: () => T): Promise<T> {
  const lock = siblingOf(target, 'lock');
  await take(lock);
  try {
    return work();
  } finally {
    release(lock);
  }
}

async function take(lock: string): Promise<void> {
  for (const end = performance.now() + PATIENCE; ; await sleep(RETRY_INTERVAL)) {
    try {
      return closeSync(openSync(lock, 'wx'));
    } catch (error) {
      if (errno(error) !== 'EEXIST') throw error;
    }
    if (performance.now() > end) {
      throw new BloomError(
        'output',
        `${printable(lock)} has been in the way for ${PATIENCE / 1000} seconds`,
        'if no other bloom is at work on that filter, one was killed there: remove the file',
      );
    }
  }
}

function release(lock: string): void {
  try {
    unlinkSync(lock);
  } catch {
    // The work is done. Whoever comes next is told of the lock.
  }
}
