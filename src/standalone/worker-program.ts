import { programIn } from './program-in.ts';

/** What threads run, which is in the executable. */
export const WORKER_PROGRAM = programIn('worker.mjs');
