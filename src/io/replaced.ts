import { accessSync, constants, type Stats } from 'node:fs';
import { BloomError } from '../errors.ts';

// To replace a file, the system requires only rights to its folder. So these functions check the write protection and
// the owner of the file itself.

const WRITABLE = 0o222;
const FORCE_HINT = 'or add --force';

/**
 * Throws an `output` error if the file is write-protected or would get another owner or group. A file without write permission for any user
 * is protected from root too. `name` is the name in messages.
 */
export function requireUnprotected(file: string, name: string, stat: Stats): void {
  if ((stat.mode & WRITABLE) === 0)
    throw new BloomError('output', `${name} is write-protected`, `run chmod u+w on it, ${FORCE_HINT}`);
  try {
    accessSync(file, constants.W_OK);
  } catch {
    throw new BloomError('output', `${name} belongs to another user`, `ask its owner, ${FORCE_HINT}`);
  }
  if (!canKeepOwner(stat)) throw ownerLost(name);
}

/** The error for a file that would get another owner or group. */
export function ownerLost(name: string): BloomError {
  return new BloomError('output', `replacing ${name} would change its owner or group`, `ask its owner, ${FORCE_HINT}`);
}

/** Remarks for the user after a file was replaced. */
export function remarksOn(name: string, stat: Stats): string[] {
  const others = stat.nlink - 1;
  const links = others === 1 ? 'another name (a hard link)' : `${others} other names (hard links)`;
  return [
    ...(canKeepOwner(stat) ? [] : [`${name} now belongs to you: its owner or group could not be kept`]),
    ...(others > 0 ? [`${name} had ${links}: the old file is still there`] : []),
  ];
}

/** Whether this process may give its file to the owner and group of another file. */
function canKeepOwner({ uid, gid }: Stats): boolean {
  const user = process.geteuid?.();
  if (user === undefined || user === 0) return true;
  return uid === user && (gid === process.getegid?.() || process.getgroups?.().includes(gid) === true);
}
