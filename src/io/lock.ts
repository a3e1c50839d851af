import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BloomError, errno, printable } from '../errors.ts';
import { hasEnded, holderIn, isHere, ownNote } from './holder.ts';
import { siblingOf } from './sibling.ts';

/** What is done under a lock takes less than a millisecond: one that stands so long was left by a killed process. */
const PATIENCE = 3_000;
const RETRY_INTERVAL = 5;

/**
 * Does some short work while no other process that takes the same lock does: a file beside the target that only one of
 * them can create, and that names it. Throws an `output` error if it is not to be had.
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
    if (create(lock)) return;
    removeLeft(lock);
    if (performance.now() > end) {
      throw new BloomError(
        'output',
        `${printable(lock)} has been in the way for ${PATIENCE / 1000} seconds`,
        'if no other bloom is at work on that filter, one was killed there: remove the file',
      );
    }
  }
}

/** Whether the file is ours now. Without room for the note it is a lock all the same. */
function create(lock: string): boolean {
  try {
    const fd = openSync(lock, 'wx');
    try {
      writeSync(fd, ownNote());
    } catch {
      // Then nobody can tell whose it is.
    }
    closeSync(fd);
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes away the lock of a process that was killed; under another lock, as of two that did so the second would take away that of the
 * first. Who is killed at this has left both, and then nobody can do it.
 */
function removeLeft(lock: string): void {
  const isLeft = () => {
    const holder = holderIn(lock);
    return holder !== undefined && isHere(holder) && hasEnded(holder);
  };
  const second = `${lock}.left`;
  if (!isLeft() || !create(second)) return;
  if (isLeft()) release(lock);
  release(second);
}

function release(lock: string): void {
  try {
    unlinkSync(lock);
  } catch {
    // The work is done. Whoever comes next is told of the lock.
  }
}
