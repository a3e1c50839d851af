import { fileOf, type Input } from '../engine/input/input.ts';
import type { KeySelection } from '../engine/input/key-selection.ts';
import { upTo } from '../engine/tasks/enough.ts';
import type { Fault } from '../engine/tasks/faults.ts';
import { type LineStyle, type Selected, WANTED } from '../engine/tasks/line-style.ts';
import { NOTHING, plus, selectedIn, type Tally } from '../engine/tasks/tally.ts';
import type { StopAt, TestSpec } from '../engine/tasks/task.ts';
import { type Pass, runPass } from '../engine/threads/pass.ts';
import type { Answered } from './report/answers.ts';

/** A question that some records are asked. */
export interface Question extends Pick<Pass, 'context' | 'pool' | 'observer'>, Pick<TestSpec, 'combination' | 'into'> {
  /** The filters that are asked, where others may take their places. */
  filters(): TestSpec['filters'];
  /** What is shown of the answers: the records, how many there are, the files that have one, or only by the exit status whether there is one. */
  readonly shows: 'records' | 'counts' | 'files' | 'nothing';
  /** How records are shown. */
  readonly style: LineStyle;
  /** The absent ones are selected. */
  readonly isInverted: boolean;
  /** The keys that are found are counted, and not the records. */
  readonly countsKeys: boolean;
  /** Of each input no more records are selected. */
  readonly maxCount: number | undefined;
  /** What was read is answered at once. */
  readonly lineBuffered: boolean;
}

/** Answers, in all and of each input if that is wanted. */
export interface QueryAnswers {
  readonly tally: Tally;
  readonly answered: readonly Answered[];
  /** What is wrong with filters, of each that could not be asked about all keys. */
  readonly faults: readonly Fault[];
}

export const NO_ANSWERS: QueryAnswers = { tally: NOTHING, answered: [], faults: [] };

/** Answers one after the other. */
export function together(a: QueryAnswers, b: QueryAnswers): QueryAnswers {
  return {
    tally: plus(a.tally, b.tally),
    answered: [...a.answered, ...b.answered],
    faults: [...a.faults, ...b.faults],
  };
}

/** Records that are selected. */
export function selected(tally: Tally, { isInverted }: Pick<Question, 'isInverted'>): number {
  return selectedIn(tally, answerOf(isInverted));
}

function answerOf(isInverted: boolean): Selected {
  return isInverted ? WANTED.absent : WANTED.present;
}

/** When no more needs to be asked. */
function stopOf({ shows, isInverted, maxCount }: Question): StopAt | undefined {
  const selected = answerOf(isInverted);
  if (shows === 'nothing') return { selected, records: 1, ofEach: false };
  const records = shows === 'files' ? 1 : maxCount;
  return records === undefined ? undefined : { selected, records, ofEach: true };
}

/** Asks about the records of some inputs, and prints them if they are to be shown. */
export async function ask(
  question: Question,
  inputs: readonly Input[],
  selection: KeySelection,
): Promise<QueryAnswers> {
  const { context, pool, observer, combination, shows, style, into, lineBuffered, countsKeys } = question;
  const stopAt = stopOf(question);
  const spec: TestSpec = {
    type: 'test',
    selection,
    filters: question.filters(),
    combination,
    print: shows === 'records' ? style : undefined,
    into,
    lineBuffered,
    bySource: shows === 'counts' && style.named,
    stopAt,
    countsKeys,
  };
  const tallies: (Tally | undefined)[] = [];
  const onTally = (index: number, tally: Tally) => {
    const sum = plus(tallies[index] ?? NOTHING, tally);
    tallies[index] = sum;
    return stopAt !== undefined && selectedIn(sum, stopAt.selected) >= stopAt.records;
  };
  const cutOff = new Set<number>();
  const onCutOff = (index: number) => void cutOff.add(index);
  const results = await runPass({ context, pool, observer, spec, inputs, onTally, onCutOff });
  // Threads that only count do not know where the others found enough.
  const knowsEach = stopAt?.ofEach === true && spec.print === undefined;
  const known = knowsEach ? tallies.map((tally) => tally && upTo(stopAt, tally)) : tallies;
  const answered = inputs.flatMap((input, index) => {
    const counted = known[index];
    // An input that could not be read, or not to its end, has no count.
    if (counted === undefined || cutOff.has(index)) return [];
    return [{ file: fileOf(input) ?? null, ...counted }];
  });
  return {
    tally: (knowsEach ? known : results).reduce<Tally>((sum, one) => plus(sum, one ?? NOTHING), NOTHING),
    answered,
    faults: results.flatMap((result) => (result.type === 'tally' ? (result.faults ?? []) : [])),
  };
}
