import { WANTED } from './line-style.ts';
import { NOTHING, selectedIn, type Tally } from './tally.ts';
import type { StopAt } from './task.ts';

/** Takes records in their order, and of each input none behind the last that is wanted. */
export interface Enough {
  /** Begins a part of an input, before which so many were selected. */
  start(selectedBefore: number): void;
  /** How many of records with these matches, a byte each, are taken: the first ones. */
  take(matches: Uint8Array): number;
  /** Records of the input that were selected, in this part and before. */
  selected(): number;
  /** All that was taken. Nobody knows how many keys that had. */
  taken(): Omit<Tally, 'keys'>;
}

export function createEnough({ selected, records: most }: StopAt): Enough {
  const total = { ...NOTHING };
  let before = 0;
  return {
    start(selectedBefore) {
      before = selectedBefore;
    },
    take(matches) {
      let count = 0;
      for (; count < matches.length && before < most; count++) {
        const match = matches[count];
        if (match === selected) before++;
        if (match === WANTED.present) total.positives++;
        else if (match !== WANTED.absent) total.elsewhere++;
      }
      total.records += count;
      return count;
    },
    selected: () => before,
    taken: () => total,
  };
}

/** What is known of an input of which no more than enough is asked: where there is enough, nothing else. */
export function upTo({ selected, records }: StopAt, tally: Tally): Tally {
  if (selectedIn(tally, selected) < records) return tally;
  return { records, keys: records, positives: selected === WANTED.present ? records : 0, elsewhere: 0 };
}
