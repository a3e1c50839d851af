import type { Found } from '../input/scanning.ts';
import { type Selected, WANTED } from './line-style.ts';

/** Records, the keys that they had, and those records that may be in the set, or were removed from it. */
export interface Tally extends Found {
  readonly positives: number;
  /** Keys of other parts of the filter, which were left out; where records are asked, those that have no answer for it. */
  readonly elsewhere: number;
  /** Records that each of several filters may have, where that is told. */
  readonly each?: readonly number[];
}

/** Of no records. */
export const NOTHING: Tally = { records: 0, keys: 0, positives: 0, elsewhere: 0 };

export function plus(a: Tally, b: Tally): Tally {
  return {
    records: a.records + b.records,
    keys: a.keys + b.keys,
    keyed: keyedIn(a) + keyedIn(b),
    positives: a.positives + b.positives,
    elsewhere: a.elsewhere + b.elsewhere,
    ...together(a.each, b.each, (x, y) => x + y),
  };
}

/** Records that had no key. */
export function recordsWithout(found: Found): number {
  return found.records - keyedIn(found);
}

function keyedIn({ keys, keyed = keys }: Found): number {
  return keyed;
}

/** Records whose answer is this. */
export function selectedIn({ records, positives, elsewhere }: Tally, selected: Selected): number {
  return selected === WANTED.present ? positives : records - positives - elsewhere;
}

/** What is known without what was known before. */
export function minus(a: Tally, b: Tally): Tally {
  return {
    records: a.records - b.records,
    keys: a.keys - b.keys,
    keyed: keyedIn(a) - keyedIn(b),
    positives: a.positives - b.positives,
    elsewhere: a.elsewhere - b.elsewhere,
    ...together(a.each, b.each, (x, y) => x - y),
  };
}

function together(a: Tally['each'], b: Tally['each'], work: (x: number, y: number) => number): Pick<Tally, 'each'> {
  const some = a ?? b;
  return some === undefined ? {} : { each: some.map((_, i) => work(a?.[i] ?? 0, b?.[i] ?? 0)) };
}
