import { basename, dirname, join } from 'node:path';

/** Of a name, so that a sibling's is not too long for the file system where it is not itself. */
const PREFIX = 60;

/** A hidden file beside another, for the time in which that is written. */
export function siblingOf(file: string, ending: string): string {
  return join(dirname(file), `.${basename(file).slice(0, PREFIX)}.${ending}`);
}
