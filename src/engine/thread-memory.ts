// The memory of threads besides a filter that is read part by part. It counts towards the memory for the filter.

import { freeMemory } from './store/payload.ts';

/** Bytes of a worker: its own part of V8, compiled code, and its kernel with the digests that wait (measured: 30 to 33 MB). */
const WORKER_BYTES = 2 ** 25;

/** The digests that wait in a thread, relative to the segments of a part: 8 or 12 bytes of each of some thousand digests per segment. */
const WAITING_SHARE = 1 / 16;

/** Worker threads for a filter in this much memory, at most `threads`. At least half of the memory is for the filter. */
export function threadsWithin(threads: number, memory: number = freeMemory()): number {
  return Math.min(threads, 1 + Math.floor(memory / (2 * WORKER_BYTES)));
}

/** Bytes for a part of a filter that `threadCount` threads work on, the main thread included. The first worker counts as the program. */
export function memoryOfParts(memory: number, threadCount: number): number {
  const workers = Math.max(0, threadCount - 2);
  return Math.max(0, memory - workers * WORKER_BYTES) / (1 + WAITING_SHARE * threadCount);
}
