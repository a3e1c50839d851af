import { accessSync, constants, type Stats } from 'node:fs';
import { BloomError } from '../errors.ts';

// A file is replaced by a new one of its name, for which the rights to its folder are enough. What people mean by
// protecting it, and whose it is, has to be heeded on purpose.

const WRITABLE = 0o222;
const FORCE_HINT = 'or change it all the same with --force';

/**
 * Refuses to replace a file that is write-protected, for everybody (so that it is for root, too) or for us, or that would
 * get another owner or group. `name` is for messages.
 */
export function heedProtection(file: string, name: string, stat: Stats): void {
  if ((stat.mode & WRITABLE) === 0)
    throw new BloomError('output', `${name} is write-protected`, `allow it with chmod u+w, ${FORCE_HINT}`);
  try {
    accessSync(file, constants.W_OK);
  } catch {
    throw new BloomError('output', `${name} is not yours to write`, `ask its owner, ${FORCE_HINT}`);
  }
  if (!canKeepOwner(stat)) throw ownerLost(name);
}

/** The error for a file that would get another owner or group. */
export function ownerLost(name: string): BloomError {
  return new BloomError('output', `${name} would get another owner or group`, `ask its owner, ${FORCE_HINT}`);
}

/** What a user should know once a file is replaced. */
export function remarksOn(name: string, stat: Stats): string[] {
  const others = stat.nlink - 1;
  const links = others === 1 ? 'another name, a hard link' : `${others} other names, hard links`;
  return [
    ...(canKeepOwner(stat) ? [] : [`${name} is yours now: its owner or group could not be kept`]),
    ...(others > 0 ? [`${name} had ${links}, under which the old file stays`] : []),
  ];
}

/** Whether we may give a file of ours to the owner and group of another. */
function canKeepOwner({ uid, gid }: Stats): boolean {
  const user = process.geteuid?.();
  if (user === undefined || user === 0) return true;
  return uid === user && (gid === process.getegid?.() || process.getgroups?.().includes(gid) === true);
}
