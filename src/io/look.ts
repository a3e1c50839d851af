import { fstatSync, type Stats, statSync } from 'node:fs';

const STDIN = 0;

/** What an input is, '-' being the standard input; undefined where that cannot be told: opening it will say why. */
export function lookAt(name: string): Stats | undefined {
  try {
    return name === '-' ? fstatSync(STDIN) : statSync(name);
  } catch {
    return undefined;
  }
}
