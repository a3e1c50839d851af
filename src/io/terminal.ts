import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { isPipe, STDERR, STDIN, STDOUT } from './descriptors.ts';

/** Where what is not wanted goes. */
const NULL_DEVICE = '/dev/null';

/**
 * Whether a descriptor is a terminal. Files and pipes are told from it by their type; only for other devices than that which
 * drops everything node:tty is asked, which takes as long to load as a short query takes.
 */
export async function isTerminal(fd: number): Promise<boolean> {
  try {
    const device = fstatSync(fd);
    if (!device.isCharacterDevice() || device.rdev === statSync(NULL_DEVICE).rdev) return false;
  } catch {
    return false;
  }
  const { isatty } = await import('node:tty');
  return isatty(fd);
}

/** Characters of a line of the terminal that the results go to; undefined if they go elsewhere, or nobody knows. */
export async function outputWidth(): Promise<number | undefined> {
  return (await isTerminal(STDOUT)) ? process.stdout.columns || undefined : undefined;
}

/**
 * Whether what goes to a descriptor may show up on a terminal while we write it: it is one, or somebody at the other end of
 * a pipe prints what is in it.
 */
export async function mayBeShown(fd: number): Promise<boolean> {
  return isPipe(fd) || (await isTerminal(fd));
}

/**
 * Replaces the standard descriptors that are terminals, after which nothing is printed. At its end Node sets the modes that each of them had
 * at its start. In `bloom query ... | less` these may be the modes of less, which has ended by then: the shell would have no echo.
 */
export function leaveTerminals(): void {
  for (const fd of [STDIN, STDOUT, STDERR]) {
    try {
      const device = fstatSync(fd);
      if (!device.isCharacterDevice() || device.rdev === statSync(NULL_DEVICE).rdev) continue;
      closeSync(fd);
      // The lowest descriptor that is free, so that no other file gets the number of a standard one.
      openSync(NULL_DEVICE, 'r+');
    } catch {
      // A system without such a device has no such modes.
    }
  }
}
