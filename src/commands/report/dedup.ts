import type { Description } from '../../formats/description.ts';
import { amount, count, plural, rate } from '../../quantities.ts';
import type { Range } from '../../sizing/first-sightings.ts';

/** What became of records whose keys were, or were not, seen before. */
export interface DedupCounts {
  readonly records: number;
  readonly keys: number;
  readonly printed: number;
  /** Keys that were seen for the first time. */
  readonly firsts: number;
  readonly taken: Range;
  /** What `taken` counts: first sightings that were taken for others, records that passed too early, or keys that did or never passed. */
  readonly wrong: keyof typeof WRONG;
}

/** Keys past its size that a filter may get without a word, as that is a guess of what will come. */
const TOLERATED = 1.05;

/** From so many on the range is said, and not what is expected. */
const RANGED = 10;

const WRONG = {
  taken: 'new keys expected among the records that count as repeated',
  early: 'expected to have passed too early',
  'early or lost': 'keys expected to be printed too early or not at all',
};

/** "600 records: 140 printed, 460 dropped (76.7 %); 0.0074 new keys expected among the records that count as repeated" */
export function dedupText({ records, printed, taken, wrong }: DedupCounts): string {
  const dropped = records - printed;
  const share = records === 0 ? '' : ` (${rate(dropped / records)})`;
  const counts = `${plural(records, 'record')}: ${count(printed)} printed, ${count(dropped)} dropped${share}`;
  const { least, mean, most } = taken;
  // Around few that are expected the range says little more than that there may be some.
  const isRange = mean === undefined ? most >= 1 : mean >= RANGED;
  const number = isRange ? `${amount(least)} to ${amount(most)}` : amount(mean ?? most);
  return `${counts}; ${number} ${WRONG[wrong]}`;
}

/**
 * What to say if a filter of what was seen got more keys than it was sized for, `most` of them the fullest, as it takes new keys for known ones
 * then, by now at a rate; else undefined. `name` is the file of a state.
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
  return `${sized}: ${wrong}; ${begin} a larger -n, or leave -n out for a filter that grows`;
}

/** The same in the names of JSON.md. */
export function dedupJson({ records, keys, printed, firsts, taken }: DedupCounts) {
  return {
    records,
    keys,
    printed,
    dropped: records - printed,
    firstSightings: firsts,
    leastFalsePositives: taken.least,
    expectedFalsePositives: taken.mean ?? null,
    mostFalsePositives: taken.most,
  };
}
