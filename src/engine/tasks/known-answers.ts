import { BloomError } from '../../errors.ts';
import type { RecordAnswers } from './answers.ts';
import { createMatches } from './noted-answers.ts';
import { SMALL_BATCH } from './output.ts';
import type { KnownAnswers, TestSpec } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Answers for the records of inputs whose keys were looked up before. Throws a `changed` error if an input has other records now. */
export function createKnownAnswers(
  { kernel }: ThreadContext,
  spec: TestSpec & { readonly known: KnownAnswers },
): RecordAnswers {
  const { filters, known } = spec;
  // Nothing is looked up, so a large batch would only take memory.
  const recordLimit = SMALL_BATCH;
  const notes = createMatches(kernel, spec, recordLimit);
  let input = -1;
  let position = 0;
  const end = () => known.ends[input] ?? 0;
  return {
    // The first rules suffice to count the keys.
    rules: filters.slice(0, 1).map(({ rules }) => rules),
    recordLimit,
    answered: [],
    keys: () => {},
    lastKeys: () => {},
    turn: async () => {},
    beginInput() {
      position = input < 0 ? 0 : end();
      input++;
    },
    endInput() {
      if (position !== end()) throw changedInput();
    },
    conclude(batch, print) {
      if (position + batch.count > end()) throw changedInput();
      notes.known(known, position, batch.count);
      position += batch.count;
      notes.conclude(batch, print);
    },
    counts: notes.counts,
    faults: () => [],
    ofKeys: undefined,
  };
}

/** The error for inputs that are read twice and have changed in between. */
export function changedInput(): BloomError {
  return new BloomError(
    'changed',
    'an input has changed since its keys were looked up',
    'query files that do not change, or a pipe',
  );
}
