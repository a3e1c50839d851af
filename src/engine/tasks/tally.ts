import type { Found } from '../input/scanning.ts';
import { type Selected, WANTED } from './line-style.ts';

/** Records, their keys, and the records that are maybe present or were removed. */
export interface Tally extends Found {
  readonly positives: number;
  /** Keys of other parts of the filter, which were discarded. In a query, the records without an answer for this reason. */
  readonly elsewhere: number;
  /** Per filter, the records that are maybe present, if filters are distinguished. */
  readonly each?: readonly number[];
  /** The signature of the file. */
  readonly signed?: Signed;
}

/** The position of the signature of a file, and the facts about it. */
export interface Signed {
  readonly thread: number;
  /** The offset of the signature in the temporary file of the thread. */
  readonly at: number;
  readonly rows: number;
  /** Distinct keys. */
  readonly keys: number;
  readonly ones: number;
  /** The checksum of the file, if it was requested. */
  readonly checksum: bigint | undefined;
}

/** The tally of no records. */
export const NOTHING: Tally = { records: 0, keys: 0, positives: 0, elsewhere: 0 };

export function plus(a: Tally, b: Tally): Tally {
  return {
    records: a.records + b.records,
    keys: a.keys + b.keys,
    keyed: keyedIn(a) + keyedIn(b),
    empty: (a.empty ?? 0) + (b.empty ?? 0),
    positives: a.positives + b.positives,
    elsewhere: a.elsewhere + b.elsewhere,
    ...together(a.each, b.each, (x, y) => x + y),
    ...lengthsTogether(a, b),
  };
}

function lengthsTogether(a: Tally, b: Tally): Pick<Tally, 'lengths'> {
  const lengths = (a.lengths ?? 0n) | (b.lengths ?? 0n);
  return lengths === 0n ? {} : { lengths };
}

/** Records without a key. */
export function recordsWithout(found: Found): number {
  return found.records - keyedIn(found);
}

function keyedIn({ keys, keyed = keys }: Found): number {
  return keyed;
}

/** Records with this answer. */
export function selectedIn({ records, positives, elsewhere }: Tally, selected: Selected): number {
  return selected === WANTED.present ? positives : records - positives - elsewhere;
}

/** The difference of two tallies. */
export function minus(a: Tally, b: Tally): Tally {
  return {
    records: a.records - b.records,
    keys: a.keys - b.keys,
    keyed: keyedIn(a) - keyedIn(b),
    empty: (a.empty ?? 0) - (b.empty ?? 0),
    positives: a.positives - b.positives,
    elsewhere: a.elsewhere - b.elsewhere,
    ...together(a.each, b.each, (x, y) => x - y),
  };
}

function together(a: Tally['each'], b: Tally['each'], work: (x: number, y: number) => number): Pick<Tally, 'each'> {
  const some = a ?? b;
  return some === undefined ? {} : { each: some.map((_, i) => work(a?.[i] ?? 0, b?.[i] ?? 0)) };
}
