/**
 * The program of the thread that talks to a server. The path starts two folders below the root: this file and the
 * bundle that contains it both do.
 */
export const REMOTE_PROGRAM = new URL('../../dist/js/http.cjs', import.meta.url);
