import { setTimeout as sleep } from 'node:timers/promises';
import { BloomError, printable } from '../errors.ts';
import { claim } from './claim.ts';
import { deferSignals, removeOwn } from './remove-at-end.ts';
import { siblingOf } from './sibling.ts';

/** Milliseconds after which a lock counts as left behind. Work under a lock takes less than one millisecond. */
const PATIENCE = 3_000;
const RETRY_INTERVAL = 5;

/**
 * Does some short work while no other process does such work on the same file. A note beside the target names the
 * process. Throws an `output` error if the lock is not free in time.
 */
export async function locked<T>(target: string, work: () => T): Promise<T> {
  const lock = siblingOf(target, 'lock');
  const release = deferSignals();
  try {
    for (const end = performance.now() + PATIENCE; ; await sleep(RETRY_INTERVAL)) {
      if (claim(lock))
        try {
          return work();
        } finally {
          removeOwn(lock);
        }
      if (performance.now() > end) throw inTheWay(lock);
    }
  } finally {
    release();
  }
}

function inTheWay(lock: string): BloomError {
  return new BloomError(
    'output',
    `${printable(lock)} has existed for ${PATIENCE / 1000} seconds`,
    'if no other bloom works on that filter, a killed process left this file: remove it',
  );
}
