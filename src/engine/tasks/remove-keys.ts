import { rangeOf } from '../../sizing/share.ts';
import { openSegments } from '../filter/loaded-filter.ts';
import { createSegmentVisits } from '../filter/segment-visits.ts';
import { createScanner } from '../input/scanner.ts';
import type { RemoveSpec, Task, ThreadContext } from './task.ts';

/** Removes the keys of what it is given from a filter, but for those that are not there. */
export function openRemove({ kernel, threadIndex }: ThreadContext, { filter, selection, rules }: RemoveSpec): Task {
  const segments = openSegments(filter, kernel, threadIndex);
  let removed = 0;
  const visits = createSegmentVisits(kernel, rangeOf(filter.payload.shape), false, (segment, digests) => {
    removed += segments.remove(segment, digests);
  });
  const scanner = createScanner(kernel, { selection, rules }, { keys: visits.take, lastKeys: visits.takeLast });
  return {
    async scan(source, _, onRead) {
      const before = removed;
      return { ...(await scanner.scan(source, onRead)), positives: removed - before };
    },
    finish() {
      scanner.settle();
      return { type: 'tally', ...scanner.tally(), positives: removed };
    },
  };
}
