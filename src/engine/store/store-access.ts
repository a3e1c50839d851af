// The interface of what holds the bits of a filter. It imports no implementation, so that all of them can import it.

import type { SegmentRange } from '../../sizing/share.ts';
import type { Digests } from '../input/digests.ts';

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
