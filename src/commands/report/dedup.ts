import type { Description } from '../../formats/description.ts';
import { amount, count, plural, rate } from '../../quantities.ts';
import type { Range } from '../../sizing/first-sightings.ts';

/** What happened to the records. */
export interface DedupCounts {
  readonly records: number;
  readonly keys: number;
  readonly printed: number;
  /** Keys that were seen for the first time. */
  readonly firsts: number;
  readonly mistaken: Range;
  /**
   * The meaning of `mistaken`: new keys that were mistaken for known ones, records that were printed too early, or keys
   * that were printed too early or never.
   */
  readonly wrong: keyof typeof WRONG;
}

/** Keys beyond the capacity, as a factor, before a warning is printed. The capacity was only a guess. */
const TOLERATED = 1.05;

/** From this number on, the range is printed instead of the expected number. */
const RANGED = 10;

const WRONG = {
  mistaken: 'new keys expected to be mistaken for repeated ones',
  early: 'records expected to be printed too early',
  'early or lost': 'keys expected to be printed too early or never',
};

/** "600 records: 140 printed, 460 dropped (76.7 %); 0.0074 new keys expected to be mistaken for repeated ones" */
export function dedupText({ records, printed, mistaken, wrong }: DedupCounts): string {
  const dropped = records - printed;
  const share = records === 0 ? '' : ` (${rate(dropped / records)})`;
  const counts = `${plural(records, 'record')}: ${count(printed)} printed, ${count(dropped)} dropped${share}`;
  const { least, mean, most } = mistaken;
  // For small expected numbers, the range says little.
  const isRange = mean === undefined ? most >= 1 : mean >= RANGED;
  const number = isRange ? `${amount(least)} to ${amount(most)}` : amount(mean ?? most);
  return `${counts}; ${number} ${WRONG[wrong]}`;
}

/**
 * The warning if a filter of a state has more keys than its capacity, because it then drops new keys. `most` is the number of keys of the
 * fullest filter, and `rate` its present rate. Undefined if no warning is due. `name` is the file of a state.
 */
export function overfullSeen(
  name: string | undefined,
  { target }: Description,
  { most, rate: reached }: { readonly most: number; readonly rate: number },
): string | undefined {
  if (target === undefined || most <= TOLERATED * target.capacity) return undefined;
  const sized = `${name ?? 'the filter'} was sized for ${plural(target.capacity, 'key')} and got ${count(most)} or more`;
  const wrong = `it drops ${rate(reached)} of new keys, and the target is ${rate(target.targetFpr)}`;
  const begin = name === undefined ? 'state' : 'begin another --state with';
  return `${sized}: ${wrong}; ${begin} a larger -n, or leave out -n for a filter that grows`;
}

/** The same in the names of JSON.md. */
export function dedupJson({ records, keys, printed, firsts, mistaken }: DedupCounts) {
  return {
    records,
    keys,
    printed,
    dropped: records - printed,
    firstSightings: firsts,
    leastFalsePositives: mistaken.least,
    expectedFalsePositives: mistaken.mean ?? null,
    mostFalsePositives: mistaken.most,
  };
}
