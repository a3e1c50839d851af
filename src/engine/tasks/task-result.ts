import type { SharedStore } from '../store/store.ts';
import type { Fault } from './faults.ts';
import type { Sighted } from './sightings.ts';
import type { Tally } from './tally.ts';

/** What is known of the distinct keys that one thread has seen. */
interface SeenKeys {
  /** Their table, if they are not too many. */
  readonly distinct: Uint8Array | undefined;
  /** Their sketch, if one was made. */
  readonly sketch: Uint8Array | undefined;
}

/** What one thread did. */
export type TaskResult =
  | (Tally & { readonly type: 'tally'; readonly faults?: readonly Fault[] })
  | (Tally & WrittenDigests & { readonly type: 'digests' })
  | (Tally & SeenKeys & SurveyedKeys & { readonly type: 'survey' })
  | (Tally & AllSighted & { readonly type: 'dedup' })
  | (Tally & CountedCoupons & { readonly type: 'count' })
  | (Tally & SeenKeys & AddedKeys & { readonly type: 'add' });

interface WrittenDigests {
  /** Those that went to each of the outputs. */
  readonly counts: readonly number[];
}

interface SurveyedKeys {
  /** All digests of the thread wait for the filter. */
  readonly isKept: boolean;
}

/** The keys that a thread has counted: their table while they are few, else registers of their coupons. */
interface CountedCoupons {
  readonly distinct?: Uint8Array;
  readonly registers?: Uint8Array;
}

interface AllSighted {
  /** Records that went by, comments among them. */
  readonly settled: number;
  /** Of each list of filters that remembers a sighting. */
  readonly levels: readonly Sighted[];
}

interface AddedKeys {
  /** Keys for which the filter had no room, before it was given up. */
  readonly refused: number;
  /** Keys that have set a bit, of each array. */
  readonly changes: readonly number[];
  /** What has become of a filter that grew. */
  readonly grown: SharedStore | undefined;
}
