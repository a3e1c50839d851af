import type { SharedStore } from '../store/store.ts';
import type { Fault } from './faults.ts';
import type { Sighted } from './sightings.ts';
import type { Tally } from './tally.ts';

/** The distinct keys that a thread has counted. */
interface SeenKeys {
  /** The table of the keys, if there are not too many. */
  readonly distinct: Uint8Array | undefined;
  /** The sketch of the keys, if one was made. */
  readonly sketch: Uint8Array | undefined;
}

/** The result of one thread. */
export type TaskResult =
  | (Tally & { readonly type: 'tally'; readonly faults?: readonly Fault[] })
  | (Tally & WrittenDigests & { readonly type: 'digests' })
  | (Tally & SeenKeys & SurveyedKeys & { readonly type: 'survey' })
  | (Tally & AllSighted & { readonly type: 'dedup' })
  | (Tally & CountedCoupons & { readonly type: 'count' })
  | (Tally & SeenKeys & AddedKeys & { readonly type: 'add' });

interface WrittenDigests {
  /** Per output, the digests that were written. */
  readonly counts: readonly number[];
}

interface SurveyedKeys {
  /** All digests of the thread are kept for the filter. */
  readonly isKept: boolean;
}

/** The distinct keys that a thread has counted: their table while there are few, else registers of their coupons. */
interface CountedCoupons {
  readonly distinct?: Uint8Array;
  readonly registers?: Uint8Array;
}

interface AllSighted {
  /** Records that were answered; skipped records do not count. */
  readonly answered: number;
  /** One per list of filters; each list remembers one sighting. */
  readonly levels: readonly Sighted[];
}

interface AddedKeys {
  /** Keys that the filter refused before it was given up. */
  readonly refused: number;
  /** Per array, the keys that set a bit. */
  readonly changes: readonly number[];
  /** The filter after growth; undefined if the filter does not grow. */
  readonly grown: SharedStore | undefined;
}
