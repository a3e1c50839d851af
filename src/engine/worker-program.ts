/** The program of the threads. The path holds two folders below the root, for this file and for the bundle that contains it. */
export const WORKER_PROGRAM = new URL('../../dist/js/worker.cjs', import.meta.url);
