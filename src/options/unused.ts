import { BloomError } from '../errors.ts';

/** The name of a flag on the command line: --all-fields for `allFields`. */
export function nameOfFlag(flag: string): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Throws a `usage` error if one of these flags is given. They have no effect, and `why` is the reason. */
export function refuseUnused<T extends object>(raw: T, flags: readonly (keyof T & string)[], why: string): void {
  const unused = flags.find((flag) => raw[flag] !== undefined);
  if (unused !== undefined)
    throw new BloomError('usage', `${nameOfFlag(unused)} has no effect: ${why}`, 'leave it out');
}
