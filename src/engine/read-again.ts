// Checks of files that are read several times: no file may change meanwhile.

import { BloomError } from '../errors.ts';
import { displayName, identityOf } from '../io/look.ts';
import { count, plural } from '../quantities.ts';
import { fileOf, type Input } from './input/input.ts';
import type { PassNumber, WorkProgress } from './input/progress.ts';
import type { Reading } from './reading.ts';
import type { Tally } from './tasks/tally.ts';
import type { Pass } from './threads/pass.ts';

/** The identity of each input's file. */
export type Identities = ReadonlyMap<string, string | undefined>;

export function identitiesOf(inputs: readonly Input[]): Identities {
  const names = inputs.flatMap((input) => fileOf(input) ?? []);
  return new Map(names.map((name) => [name, identityOf(name)]));
}

/**
 * The same reading again. Unreadable inputs were reported in the first reading. A name that now means another file is an error, because its
 * counted keys are gone.
 */
export function unchanged(reading: Reading, identities: Identities): Reading {
  for (const [name, identity] of identities) {
    if (identityOf(name) === identity) continue;
    throw new BloomError(
      'changed',
      `nothing was written: ${displayName(name)} was replaced or removed while it was read`,
      'build from files that do not change, or from a pipe',
    );
  }
  return { ...reading, observer: { ...reading.observer, onUnreadable: () => {} } };
}

/** The same reading with the number of the pass in its progress. */
export function inPass(reading: Reading, pass: () => PassNumber | undefined): Reading {
  const { observer } = reading;
  const onProgress = (progress: WorkProgress) => observer.onProgress?.({ ...progress, pass: pass() });
  return { ...reading, observer: { ...observer, onProgress } };
}

/** Counts the keys of each input. */
export function countByInput(inputs: readonly Input[]): { keys: number[]; note: NonNullable<Pass['onTally']> } {
  const keys = inputs.map(() => 0);
  const note = (input: number, tally: Tally) => {
    keys[input] = (keys[input] ?? 0) + tally.keys;
    return false;
  };
  return { keys, note };
}

/** Throws a `changed` error if the number of keys in a file has changed. A growing number is accepted unless `isExact`. */
export function requireKeys(
  inputs: readonly Input[],
  before: readonly number[],
  now: readonly number[],
  isExact: boolean,
): void {
  for (const [i, input] of inputs.entries()) {
    const [first = 0, later = 0] = [before[i], now[i]];
    // Only files can change; kept copies cannot.
    const file = fileOf(input);
    if (file === undefined || (isExact ? later === first : later >= first)) continue;
    throw new BloomError(
      'changed',
      `nothing was written: ${displayName(file)} had ${plural(first, 'key')} when it was read first, and ${count(later)} later`,
      'build from files that do not change, or from a pipe',
    );
  }
}
