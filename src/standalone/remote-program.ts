import { programIn } from './program-in.ts';

/** What the thread runs that asks a server, which is in the executable. */
export const REMOTE_PROGRAM = programIn('http.mjs');
