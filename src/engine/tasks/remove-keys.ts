import { rangeOf } from '../../sizing/share.ts';
import { createScanner } from '../input/scanner.ts';
import { createRangeKeeper } from '../store/range-keeper.ts';
import { createSegmentVisits } from '../store/segment-visits.ts';
import { openSegments } from '../store/shared-segments.ts';
import { NOTHING } from './tally.ts';
import type { RemoveSpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Removes the keys of sources from a filter; absent keys are ignored. */
export function openRemove({ kernel, threadIndex }: ThreadContext, { filter, selection, rules }: RemoveSpec): Task {
  const segments = openSegments(filter, kernel, threadIndex);
  let removed = 0;
  const range = rangeOf(filter.payload.shape);
  const { keep, dropped } = createRangeKeeper(kernel, range);
  const visits = createSegmentVisits(kernel, range, false, (segment, digests) => {
    removed += segments.remove(segment, digests);
  });
  const scanner = createScanner(
    kernel,
    { selection, rules: [rules] },
    {
      keys: (digests) => visits.take(keep(digests)),
      lastKeys: (digests) => visits.takeLast(keep(digests)),
    },
  );
  return {
    async scan(source, _, onRead) {
      const before = removed;
      return { ...NOTHING, ...(await scanner.scan(source, onRead)), positives: removed - before };
    },
    finish() {
      scanner.endBatch();
      return { type: 'tally', ...scanner.tally(), positives: removed, elsewhere: dropped() };
    },
  };
}
