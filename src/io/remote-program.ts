/** What the thread runs that asks a server, from two folders below the root: there is this file, and the bundle that it becomes a part of. */
export const REMOTE_PROGRAM = new URL('../../dist/js/http.cjs', import.meta.url);
