import { BloomError } from '../../errors.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { rangeOf } from '../../sizing/share.ts';
import { createGrowth } from '../filter/growth.ts';
import { openSegments, type SharedFilter } from '../filter/loaded-filter.ts';
import { createSegmentVisits, type SegmentVisits } from '../filter/segment-visits.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';

/** Tells of keys whether they were seen before, those with the same digest in the order in which they come. */
export interface Sightings extends SegmentVisits {
  /** Keys that were seen for the first time. */
  firsts(): number;
  /** The filter that has what was seen. */
  filter(): SharedFilter;
}

/** Takes digests, and the address of a byte for each: 1 if it seems to have been seen before, else 0. */
export type OnSeen = (digests: Digests, seen: number) => void;

/** Looks up in a filter what was seen before, and adds what was not; `threadIndex` is the thread's number. */
export function openSightings(kernel: Kernel, threadIndex: number, begun: SharedFilter, onSeen: OnSeen): Sightings {
  let firsts = 0;
  const note: OnSeen = (digests, seen) => {
    firsts += digests.count - kernel.exports.countMatches(seen, digests.count);
    onSeen(digests, seen);
  };
  if (begun.payload.shape.chain !== undefined) {
    const growth = createGrowth(kernel, begun, { answer: note });
    return { ...growth, firsts: () => firsts };
  }
  const segments = openSegments(begun, kernel, threadIndex);
  const seen = kernel.reserve(VISIT_LIMIT);
  const visits = createSegmentVisits(kernel, rangeOf(begun.payload.shape), true, (segment, digests) => {
    kernel.exports.clear(seen, digests.count);
    const { taken } = segments.addNew(segment, digests, seen);
    if (taken < digests.count) throw full();
    note(digests, seen);
  });
  return { ...visits, firsts: () => firsts, filter: () => begun };
}

/** The error for a key that finds no room: nobody could tell any more whether it is seen again. */
function full(): BloomError {
  return new BloomError('capacity', 'the filter is full', 'state a larger -n, or leave it out for one that grows');
}
