import { fstatSync } from 'node:fs';

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
