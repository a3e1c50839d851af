import { programIn } from './program-in.ts';

/** The program of the threads, from the executable. */
export const WORKER_PROGRAM = programIn('worker.mjs');
