import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { isPipe, STDERR, STDIN, STDOUT } from './descriptors.ts';

/** The device that discards all bytes. */
const NULL_DEVICE = '/dev/null';

/**
 * Whether a descriptor is a terminal. The type of the file excludes files, pipes and the null device. node:tty decides
 * about other devices; it takes as long to load as a short query.
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

/**
 * The width of the terminal that the results go to, in characters. Undefined if the output is not a terminal or its
 * width is unknown.
 */
export async function outputWidth(): Promise<number | undefined> {
  return (await isTerminal(STDOUT)) ? process.stdout.columns || undefined : undefined;
}

/**
 * Whether the output may appear on a terminal during the work: it is a terminal, or a pipe whose reader may print to
 * one.
 */
export async function mayBeShown(fd: number): Promise<boolean> {
  return isPipe(fd) || (await isTerminal(fd));
}

/**
 * Replaces the standard descriptors that are terminals. Nothing can be printed afterwards. At its end Node restores the
 * modes that each terminal had at Node's start. In `bloom query ... | less` these may be the modes of less, which has
 * ended by then: the shell would have no echo.
 */
export function leaveTerminals(): void {
  for (const fd of [STDIN, STDOUT, STDERR]) {
    try {
      const device = fstatSync(fd);
      if (!device.isCharacterDevice() || device.rdev === statSync(NULL_DEVICE).rdev) continue;
      closeSync(fd);
      // The open returns the lowest free descriptor, so no other file gets the number of a standard descriptor.
      openSync(NULL_DEVICE, 'r+');
    } catch {
      // A system without this device has no such modes.
    }
  }
}
