import { fstatSync } from 'node:fs';
import { isPipe, STDOUT } from './descriptors.ts';

/**
 * Whether a descriptor is a terminal. Files and pipes are told from it by their type; only for other devices node:tty
 * is asked, which takes as long to load as a short query takes.
 */
export async function isTerminal(fd: number): Promise<boolean> {
  try {
    if (!fstatSync(fd).isCharacterDevice()) return false;
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
