/** What threads run, from two folders below the root: there is this file, and there is the bundle that it becomes a part of. */
export const WORKER_PROGRAM = new URL('../../dist/js/worker.cjs', import.meta.url);
