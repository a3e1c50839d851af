import { closeSync, openSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errno } from '../errors.ts';

/**
 * What is done under a lock takes less than a millisecond: one that is this old was left by a process that was killed.
 */
const STALE_AFTER = 10_000;
const RETRY_INTERVAL = 5;

/**
 * Does some short work while no other process that takes the same lock does: a file beside the target that only one of
 * them can create. A lock that cannot be created for other reasons is done without; the work fails for the same
 * reasons.
 */
export async function locked<T>(target: string, work: () => T): Promise<T> {
  const lock = join(dirname(target), `.${basename(target)}.lock`);
  const isHeld = await take(lock);
  try {
    return work();
  } finally {
    if (isHeld) unlinkSync(lock);
  }
}

async function take(lock: string): Promise<boolean> {
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx'));
      return true;
    } catch (error) {
      if (errno(error) !== 'EEXIST') return false;
    }
    if (isStale(lock)) discard(lock);
    else await sleep(RETRY_INTERVAL);
  }
}

function isStale(lock: string): boolean {
  try {
    return Date.now() - statSync(lock).mtimeMs > STALE_AFTER;
  } catch {
    return false;
  }
}

function discard(lock: string): void {
  try {
    unlinkSync(lock);
  } catch {
    // Another process was quicker.
  }
}
