import type { Digests } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import { openDigestLog } from './digest-log.ts';
import { createDistinctCounter, createSketch } from './distinct-keys.ts';
import type { SurveySpec, Task, ThreadContext } from './task.ts';

/** Counts the distinct keys of what it is given: exactly while there are few, else by a sketch. */
export function openSurvey(context: ThreadContext, { selection, rules, spills }: SurveySpec): Task {
  const { kernel } = context;
  const counter = createDistinctCounter(kernel);
  const sketch = createSketch(kernel);
  const log = openDigestLog(spills);
  context.log = log;
  const note = (digests: Digests) => {
    counter.note(digests);
    sketch.note(digests);
    log.append(kernel.bytes(digests.address, 8 * digests.count));
  };
  const scanner = createScanner(kernel, { selection, rules }, { keys: note, lastKeys: note });
  return {
    async scan(source, _, onRead) {
      return { ...(await scanner.scan(source, onRead)), positives: 0 };
    },
    finish() {
      scanner.settle();
      return {
        type: 'survey',
        ...scanner.tally(),
        positives: 0,
        distinct: counter.table(),
        sketch: sketch.registers(),
        isKept: log.isComplete(),
      };
    },
  };
}
