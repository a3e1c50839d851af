import type { Stats } from 'node:fs';
import type { FileNow } from '../engine/index/make-index.ts';
import { BloomError, UnreadableInput } from '../errors.ts';
import { filesBelow } from '../io/folders.ts';
import { displayName, identityIn, identityOf, lookAt } from '../io/look.ts';
import { isPattern, namesLike } from '../io/patterns.ts';
import { shellLine } from './shell-line.ts';
import type { Watch } from './watch.ts';

/** The rules for finding files. */
interface Finding {
  readonly recursive: boolean;
  /** The output, which is skipped in folders. */
  readonly output: string;
}

/** The files to index. */
interface FilesToIndex {
  readonly files: readonly FileNow[];
  /** The one of them that is the output; undefined if there is none. */
  readonly atOutput: string | undefined;
}

/** The regular files that are named, or that patterns and folders contain, once each. Unreadable names are reported. Throws `usage` errors. */
export function filesToIndex(places: readonly string[], { recursive, output }: Finding, watch: Watch): FilesToIndex {
  const found = new Map<string, FileNow>();
  const add = (name: string, stat: Stats | undefined, isFound: boolean) => {
    const file = stat === undefined ? name : identityIn(stat);
    const known = found.get(file);
    if (known === undefined) found.set(file, { name, size: stat?.size ?? 0, modified: stat?.mtimeMs ?? 0, isFound });
    else if (!isFound) found.set(file, { ...known, isFound });
  };
  const existing = identityOf(output);
  for (const place of places) {
    try {
      if (place === '-')
        throw new BloomError('usage', 'standard input has no name under which it could be found', 'name files');
      for (const name of namesOf(place)) {
        const named = lookAt(name);
        if (!named?.isDirectory()) {
          requireFile(name, named);
          add(name, named, false);
          continue;
        }
        if (!recursive) throw folderRefused(name);
        for (const file of filesBelow(name, 'records')) {
          const stat = lookAt(file);
          if (stat !== undefined && identityIn(stat) === existing) continue;
          add(file, stat, true);
        }
      }
    } catch (error) {
      if (!(error instanceof UnreadableInput)) throw error;
      watch.onUnreadable(error, false);
    }
  }
  return { files: [...found.values()], atOutput: existing && found.get(existing)?.name };
}

function namesOf(place: string): readonly string[] {
  if (!isPattern(place)) return [place];
  const names = namesLike(place);
  if (names.length === 0)
    throw new UnreadableInput(`no file matches ${displayName(place)}`, 'name files, or add -r for folders');
  return names;
}

function folderRefused(name: string): BloomError {
  const line = shellLine(['index', '-r', name, '-o', 'files.index']);
  return new BloomError(
    'usage',
    `${displayName(name)} is a folder`,
    `add -r to read the files in it${line === undefined ? '' : `, as in ${line}`}`,
  );
}

/** Throws `UnreadableInput` for an input that can be read only once. A missing file is reported later, when it is read. */
function requireFile(name: string, stat: Stats | undefined): void {
  if (stat?.isFile() !== false) return;
  throw new UnreadableInput(
    `cannot index ${displayName(name)}: it is not a regular file`,
    'write what it gives to a file, and index that',
  );
}
