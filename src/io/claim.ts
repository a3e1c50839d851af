import { closeSync, openSync, symlinkSync, unlinkSync, writeSync } from 'node:fs';
import { errno } from '../errors.ts';
import { ownNote, standingAt } from './holder.ts';
import { removeOwn } from './remove-at-end.ts';
import { NOTES_ARE_LINKS, patiently } from './system.ts';

/**
 * Puts a note of this process under a name, unless the name is in use. Returns whether it did. The note of a process
 * that has ended is replaced. Never waits. The caller removes the note in the end, with `removeOwn`.
 */
export function claim(name: string): boolean {
  while (!create(name)) if (!removeLeft(name)) return false;
  return true;
}

/**
 * A symbolic link is created with its whole text or not at all, even if the process is killed. The creation of a link
 * never replaces or follows an existing file. The text of the link is not the name of a file.
 */
function create(name: string): boolean {
  const note = ownNote();
  if (!NOTES_ARE_LINKS) return createFile(name, `${note}\n`);
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

/** The errors of a file system without symbolic links, such as FAT. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL']);

/** A kill in the middle leaves an empty file. After some seconds the empty file counts as left behind. */
function createFile(name: string, note: string): boolean {
  try {
    const fd = patiently(() => openSync(name, 'wx', 0o644));
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
 * Removes the note of a process that has ended. Returns whether another attempt may succeed. A process must claim the right to remove a
 * note. Otherwise, if two processes found the same old note, the slower process would remove the new note of the faster process. A right
 * that a killed process left behind is removed in the same way.
 */
function removeLeft(name: string): boolean {
  if (!isLeft(name)) return false;
  const right = `${name}.left`;
  if (!claim(right)) return false;
  try {
    if (isLeft(name)) unlinkSync(name);
    return true;
  } catch {
    // In a folder like /tmp a user cannot remove the files of another user.
    return false;
  } finally {
    removeOwn(right);
  }
}

function isLeft(name: string): boolean {
  return standingAt(name).type === 'left';
}
