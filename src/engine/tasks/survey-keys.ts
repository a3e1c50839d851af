import type { Digests } from '../input/digests.ts';
import { digestBytesOf } from '../input/hashing.ts';
import { createScanner } from '../input/scanner.ts';
import { openDigestLog } from './digest-log.ts';
import { createDistinctCounter, createIdentities, createSketch } from './distinct-keys.ts';
import { NOTHING } from './tally.ts';
import type { SurveySpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Counts the distinct keys of sources: exactly while there are few, else by a sketch. Keeps their digests. */
export function openSurvey(context: ThreadContext, { selection, rules, spills }: SurveySpec): Task {
  const { kernel } = context;
  const begin = kernel.reserve(0);
  const counter = createDistinctCounter(kernel);
  const sketch = createSketch(kernel);
  const identities = createIdentities(kernel, rules);
  const digestBytes = digestBytesOf(rules);
  const log = openDigestLog(spills, digestBytes);
  context.log = log;
  const note = (digests: Digests) => {
    const keys = identities(digests);
    counter.note(keys);
    sketch.note(keys);
    log.append(kernel.bytes(digests.address, digestBytes * digests.count));
  };
  const scanner = createScanner(
    kernel,
    { selection, rules: [rules], countsEmpty: true },
    { keys: note, lastKeys: note },
  );
  return {
    async scan(source, _, onRead) {
      return { ...NOTHING, ...(await scanner.scan(source, onRead)) };
    },
    finish() {
      scanner.endBatch();
      const found = { distinct: counter.table()?.slice(), sketch: sketch.registers().slice() };
      // If the keys are only counted, the filter reuses this memory.
      kernel.release(begin);
      return { type: 'survey', ...NOTHING, ...scanner.tally(), ...found, isKept: log.isComplete() };
    },
  };
}
