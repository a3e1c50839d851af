import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { isPipe, STDERR, STDIN, STDOUT, statOf } from './descriptors.ts';
import { nullDevice } from './system.ts';

/**
 * Whether a descriptor is a terminal. The type of the file excludes files, pipes and the null device. node:tty decides
 * about other devices; it takes as long to load as a short query.
 */
export async function isTerminal(fd: number): Promise<boolean> {
  if (!mayBeTerminal(fd)) return false;
  const { isatty } = await import('node:tty');
  return isatty(fd);
}

function mayBeTerminal(fd: number): boolean {
  const device = statOf(fd);
  return device?.isCharacterDevice() === true && device.rdev !== nullDevice();
}

/**
 * The width of the results, in characters: the width of the terminal that they go to, or else COLUMNS, if the shell
 * exports it. Undefined if neither is known.
 */
export async function outputWidth(): Promise<number | undefined> {
  const { COLUMNS = '' } = process.env;
  const stated = /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : undefined;
  return ((await isTerminal(STDOUT)) && process.stdout.columns) || stated;
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
      if (!mayBeTerminal(fd)) continue;
      closeSync(fd);
      // The open returns the lowest free descriptor, so no other file gets the number of a standard descriptor.
      openSync(devNull, 'r+');
    } catch {
      // Node restores the modes then.
    }
  }
}
