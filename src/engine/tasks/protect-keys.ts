import type { Digests } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import { createRangeKeeper } from '../store/range-keeper.ts';
import { createSegmentVisits } from '../store/segment-visits.ts';
import { openSegments } from '../store/shared-segments.ts';
import { createDistinctCounter, createSketch } from './distinct-keys.ts';
import { NOTHING } from './tally.ts';
import type { CountProtectedSpec, ProtectSpec, ScreenSpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Counts the distinct keys that queries for the keys of sources look up: exactly while there are few, and in a sketch. */
export function openCountProtected({ kernel }: ThreadContext, { selection, rules }: CountProtectedSpec): Task {
  const counter = createDistinctCounter(kernel);
  const sketch = createSketch(kernel);
  const note = (digests: Digests) => {
    counter.note(digests);
    sketch.note(digests);
  };
  const scanner = createScanner(kernel, { selection, rules: [rules], looksUp: true }, { keys: note, lastKeys: note });
  return {
    async scan(source, _, onRead) {
      return { ...NOTHING, ...(await scanner.scan(source, onRead)) };
    },
    finish() {
      scanner.endBatch();
      const seen = { distinct: counter.table(), sketch: sketch.registers(), isKept: false };
      return { type: 'survey', ...NOTHING, ...scanner.tally(), ...seen };
    },
  };
}

/** Makes the screens of drafts once all members are in. */
export function openScreen({ kernel, threadIndex }: ThreadContext, { filter }: ScreenSpec): Task {
  return {
    scan: () => Promise.resolve(NOTHING),
    finish() {
      openSegments(filter, kernel, threadIndex).screenDrafts();
      return { type: 'tally', ...NOTHING };
    },
  };
}

/** Gives the protected keys of sources to screened drafts. The tally counts the refused keys as positives. */
export function openProtect(context: ThreadContext, { filter, selection, rules }: ProtectSpec): Task {
  const { kernel, threadIndex } = context;
  const segments = openSegments(filter, kernel, threadIndex);
  const { keep, dropped } = createRangeKeeper(kernel, filter.range);
  let refused = 0;
  const visits = createSegmentVisits(kernel, filter.range, false, (segment, digests) => {
    refused += segments.protect(segment, digests);
  });
  const scanner = createScanner(
    kernel,
    { selection, rules: [rules], looksUp: true },
    {
      keys: (digests: Digests) => visits.take(keep(digests)),
      lastKeys: (digests: Digests) => visits.takeLast(keep(digests)),
    },
  );
  return {
    async scan(source, _, onRead) {
      return { ...NOTHING, ...(await scanner.scan(source, onRead)) };
    },
    finish() {
      scanner.endBatch();
      return { type: 'tally', ...NOTHING, ...scanner.tally(), elsewhere: dropped(), positives: refused };
    },
  };
}
