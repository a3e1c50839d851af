import { readFileSync } from 'node:fs';
import { type KeptCode, keptCode, userCodeCache } from '../io/code-cache.ts';

/** The program of the threads. The path holds two folders below the root, for this file and for the bundle that contains it. */
export const WORKER_PROGRAM = new URL('../../dist/js/start-worker.cjs', import.meta.url);

/** The file that it compiles and runs. */
const FILE = 'worker.cjs';

/** The place of the code of that file; undefined if there is none. */
export function workerCode(): KeptCode | undefined {
  const cache = userCodeCache(process.env);
  return cache && keptCode(cache, readFileSync(new URL(FILE, WORKER_PROGRAM), 'latin1'), FILE);
}
