import { programIn } from './program-in.ts';

/** The program of the threads, from the executable. */
export const WORKER_PROGRAM = programIn('worker.mjs');

/** The code of the threads is not kept: the executable has no file for it. */
export function workerCode(): undefined {}
