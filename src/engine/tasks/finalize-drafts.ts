import { openSegments } from '../filter/loaded-filter.ts';
import { type FinalizeSpec, NOTHING, type Task, type ThreadContext } from './task.ts';

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
