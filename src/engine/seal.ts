import { openSegments } from './filter-file.ts';
import { NOTHING, type SealSpec, type Station, type Task } from './task.ts';

/** Turns drafts into segments once all keys are in. */
export function openSeal({ kernel, seat }: Station, { filter }: SealSpec): Task {
  return {
    scan: () => Promise.resolve(NOTHING),
    finish() {
      openSegments(filter, kernel, seat).seal();
      return NOTHING;
    },
  };
}
