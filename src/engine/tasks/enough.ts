import { WANTED } from './line-style.ts';
import { NOTHING, selectedIn, type Tally } from './tally.ts';
import type { StopAt } from './task.ts';

/** Accepts records in their order. Per input, it stops after the last wanted record. */
export interface Enough {
  /** Begins a part of an input. `selectedBefore` records before the part were selected. */
  start(selectedBefore: number): void;
  /** The number of records that are accepted: the first ones. `matches` has one byte per record. */
  take(matches: Uint8Array): number;
  /** Records of the input that were selected, in this part and before. */
  selected(): number;
  /** The tally of all accepted records. The number of their keys is unknown. */
  accepted(): Omit<Tally, 'keys'>;
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
    accepted: () => total,
  };
}

/** The tally of an input that stops at enough records: once there are enough, no further record counts. */
export function upTo({ selected, records }: StopAt, tally: Tally): Tally {
  if (selectedIn(tally, selected) < records) return tally;
  return { records, keys: records, positives: selected === WANTED.present ? records : 0, elsewhere: 0 };
}
