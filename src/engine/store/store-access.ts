// The interface of what holds the bits of a filter. It imports no implementation, so that all of them can import it.

import type { FlatGrowth } from '../../formats/flat-draft.ts';
import type { SegmentRange } from '../../sizing/share.ts';
import type { Digests } from '../input/digests.ts';
import type { SegmentVisits } from './segment-visits.ts';

/** What every such message says. */
export interface StoreMessage {
  /** What opens it; nothing else asks. */
  readonly type: 'segments' | 'arrays' | 'rows';
  /** What of it digests pick, and that is visited one at a time. */
  readonly range: SegmentRange;
}

/** A thread's access to it. */
export interface OpenStore {
  /** Tests digests of one place of the range: a byte each at `hits`, in the thread's own kernel; returns the number of ones. */
  test(place: number, digests: Digests, hits: number): number;
  /** Reads all of it: what becomes of its file is of no account then. */
  readAll(): void;
  /** The soonest way to test a digest that lies anywhere. */
  testOne?(place: number, word: BigUint64Array): boolean;
  /** Which of its parts, by their numbers, may have which digests; undefined for one that is asked as a whole. */
  findParts?(digests: Uint8Array, count: number): Iterable<{ readonly part: number; readonly key: number }>;
}

/** How a thread adds digests of a store's range. */
export interface Adding<S extends StoreMessage = StoreMessage> extends SegmentVisits {
  /** Keys for which there was no room. With one of them the filter is full, and no more need be added. */
  refused(): number;
  /** Keys that have set a bit, of each array; of segments nobody counts them. */
  changes(): readonly number[];
  /** What has become of a filter that grew. */
  grown(): S | undefined;
}

/** How a filter grows. One thread adds the keys then. */
export interface GrowthOptions {
  /** Nobody asked for the size that it begins with. */
  readonly trims?: boolean;
  /** The further arrays of a filter of another system. */
  readonly growth?: FlatGrowth | undefined;
}
