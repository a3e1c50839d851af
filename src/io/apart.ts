import type { Stats } from 'node:fs';
import { BloomError } from '../errors.ts';
import { displayName, isOutput } from './look.ts';

/** Throws an `output` error if an input is the output file, which is the standard output by default. */
export function requireApart(inputs: readonly string[], output?: Stats, hint = 'name another file'): void {
  const input = inputs.find((name) => isOutput(name, output));
  if (input === undefined) return;
  throw new BloomError('output', `${displayName(input)} is both an input and the output`, hint);
}
