// The interface of the stores, which hold the bits of a filter. It imports no implementation, so that every implementation can import it.

import type { ArrayGrowth } from '../../formats/array-blueprint.ts';
import type { SegmentRange } from '../../sizing/share.ts';
import type { Digests } from '../input/digests.ts';
import type { SegmentVisits } from './segment-visits.ts';

/** The common fields of all messages about stores. */
export interface StoreMessage {
  /** Selects the function that opens the store; nothing else may depend on it. */
  readonly type: 'segments' | 'arrays' | 'rows';
  /** The range that digests select from, whose segments or columns are visited one at a time. */
  readonly range: SegmentRange;
}

/** A thread's access to a store, for queries. */
export interface OpenStore {
  /**
   * Tests digests of one segment or column of the range. Writes one byte per digest at `hits` in the thread's own kernel; returns the
   * number of ones.
   */
  test(place: number, digests: Digests, hits: number): number;
  /**
   * Begins to fetch segments or columns of the range that will be tested, several at the same time; undefined unless the filter is on a
   * server.
   */
  readonly expect?: ((places: () => readonly number[]) => void) | undefined;
  /** Reads the whole filter into memory. Afterwards its file may change or disappear. */
  readAll(): void;
  /** The fastest method to test one digest, which may be in any buffer. */
  testOne?(place: number, word: BigUint64Array): boolean;
  /** Yields pairs of a part and a digest that may be in the part, both as numbers. Undefined for a filter that is queried as a whole. */
  findParts?(digests: Uint8Array, count: number): Iterable<{ readonly part: number; readonly key: number }>;
}

/** How a thread adds digests of a store's range. */
export interface Adding<S extends StoreMessage = StoreMessage> extends SegmentVisits {
  /** Keys that were refused. After one refused key, the filter is full, and further keys need not be added. */
  refused(): number;
  /** Per array, the keys that set a bit; empty for segments. */
  changes(): readonly number[];
  /** The filter after growth; undefined if the filter does not grow. */
  grown(): S | undefined;
}

/** How a filter grows. A growing filter gets its keys from one thread. */
export interface GrowthOptions {
  /** The user did not choose the first size. */
  readonly trims?: boolean;
  /** The further arrays of a filter of another system. */
  readonly growth?: ArrayGrowth | undefined;
}
