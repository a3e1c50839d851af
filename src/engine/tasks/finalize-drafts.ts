import { openSegments } from '../store/loaded-filter.ts';
import { NOTHING } from './tally.ts';
import type { FinalizeSpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Turns drafts into segments once all keys are in. */
export function openFinalize({ kernel, threadIndex }: ThreadContext, { filter }: FinalizeSpec): Task {
  return {
    scan: () => Promise.resolve(NOTHING),
    finish() {
      openSegments(filter, kernel, threadIndex).finalizeDrafts();
      return { type: 'tally', ...NOTHING };
    },
  };
}
