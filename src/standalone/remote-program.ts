import { programIn } from './program-in.ts';

/** The program of the thread that talks to a server, from the executable. */
export const REMOTE_PROGRAM = programIn('http.mjs');
