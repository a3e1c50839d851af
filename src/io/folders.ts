import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, cannotRead, type FileRole } from '../errors.ts';
import { displayName, lookAt } from './look.ts';

/**
 * The regular files in a folder and its subfolders, in the order of their names. Links to folders are not followed, because they may lead
 * back. Throws the errors of `cannotRead`.
 */
export function* filesBelow(folder: string, content: FileRole): Generator<string> {
  const read = () => readdirSync(folder, { withFileTypes: true });
  const entries = attempt(read, (cause) => cannotRead(content, displayName(folder), cause));
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of sorted) {
    const name = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(name, content);
    else if (entry.isFile() || lookAt(name)?.isFile()) yield name;
  }
}
