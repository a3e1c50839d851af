import { closeSync, openSync, symlinkSync, unlinkSync, writeSync } from 'node:fs';
import { errno } from '../errors.ts';
import { ownNote, standingAt } from './holder.ts';
import { removeOwn } from './remove-at-end.ts';

/**
 * Puts a note of this process under a name, unless there is something else. Returns whether it did. The note of a process
 * that has ended is replaced. Never waits. Whoever claims a name removes the note in the end, with `removeOwn`.
 */
export function claim(name: string): boolean {
  while (!create(name)) if (!removeLeft(name)) return false;
  return true;
}

/**
 * A symbolic link is there with all that it says or not at all, whenever the process is killed, and never replaces or follows
 * what has the name. What it says is the name of no file.
 */
function create(name: string): boolean {
  const note = ownNote();
  try {
    symlinkSync(note, name);
    return true;
  } catch (error) {
    const code = errno(error) ?? '';
    if (code === 'EEXIST') return false;
    if (!WITHOUT_LINKS.has(code)) throw error;
  }
  return createFile(name, `${note}\n`);
}

/** What a file system without symbolic links says, such as FAT. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL']);

/** A kill in the middle leaves a file that says nothing, which counts as left behind after some seconds. */
function createFile(name: string, note: string): boolean {
  try {
    const fd = openSync(name, 'wx', 0o644);
    try {
      writeSync(fd, note);
    } catch (error) {
      removeOwn(name);
      throw error;
    } finally {
      closeSync(fd);
    }
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the note of a process that has ended. Returns whether another attempt may succeed. Only the process that has claimed
 * the right to it removes a note: of two that found the same note, the later one would remove the new note of the earlier one.
 * A right that was left by a killed process is removed in the same way.
 */
function removeLeft(name: string): boolean {
  if (!isLeft(name)) return false;
  const right = `${name}.left`;
  if (!claim(right)) return false;
  try {
    if (isLeft(name)) unlinkSync(name);
    return true;
  } catch {
    // In a folder like /tmp a user cannot remove the files of another one.
    return false;
  } finally {
    removeOwn(right);
  }
}

function isLeft(name: string): boolean {
  return standingAt(name).type === 'left';
}
