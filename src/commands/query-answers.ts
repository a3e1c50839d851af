import { fileOf, type Input } from '../engine/input/input.ts';
import type { KeySelection } from '../engine/input/key-selection.ts';
import { type Query, queryWithin } from '../engine/query.ts';
import { upTo } from '../engine/tasks/enough.ts';
import type { Fault } from '../engine/tasks/faults.ts';
import { type LineStyle, type Selected, WANTED } from '../engine/tasks/line-style.ts';
import { NOTHING, plus, selectedIn, type Tally } from '../engine/tasks/tally.ts';
import type { StopAt, TestSpec } from '../engine/tasks/task.ts';
import { type Pass, runPass } from '../engine/threads/pass.ts';
import type { Answered } from './report/answers.ts';

/** A query of some records. */
export interface Question extends Pick<Pass, 'context' | 'pool' | 'observer'>, Pick<TestSpec, 'combination' | 'into'> {
  /** The current filters. Newer filters may replace them. */
  filters(): TestSpec['filters'];
  /** What is printed: records, counts, or files; with `nothing`, only the exit status shows the answer. */
  readonly shows: 'records' | 'counts' | 'files' | 'nothing';
  /** The style of printed records. */
  readonly style: LineStyle;
  /** Whether absent records are selected. */
  readonly isInverted: boolean;
  /** Whether keys that matched are counted, and not records. */
  readonly countsKeys: boolean;
  /** The largest number of selected records per input. */
  readonly maxCount: number | undefined;
  /** Whether each record is answered immediately. */
  readonly lineBuffered: boolean;
}

/** The answers, in total and per input if requested. */
export interface QueryAnswers {
  readonly tally: Tally;
  readonly answered: readonly Answered[];
  /** The faults of filters that could not answer for all keys. */
  readonly faults: readonly Fault[];
}

export const NO_ANSWERS: QueryAnswers = { tally: NOTHING, answered: [], faults: [] };

/** The sum of two answers. */
export function together(a: QueryAnswers, b: QueryAnswers): QueryAnswers {
  return {
    tally: plus(a.tally, b.tally),
    answered: [...a.answered, ...b.answered],
    faults: [...a.faults, ...b.faults],
  };
}

/** The number of selected records. */
export function selected(tally: Tally, { isInverted }: Pick<Question, 'isInverted'>): number {
  return selectedIn(tally, answerOf(isInverted));
}

function answerOf(isInverted: boolean): Selected {
  return isInverted ? WANTED.absent : WANTED.present;
}

/** When the query may stop. */
function stopOf({ shows, isInverted, maxCount }: Question): StopAt | undefined {
  const selected = answerOf(isInverted);
  if (shows === 'nothing') return { selected, records: 1, ofEach: false };
  const records = shows === 'files' ? 1 : maxCount;
  return records === undefined ? undefined : { selected, records, ofEach: true };
}

/** Queries the records of some inputs, and prints them if requested. Without `size`, the filters may exceed the memory. */
export async function runQuery(
  question: Question,
  inputs: readonly Input[],
  selection: KeySelection,
  size?: Pick<Query, 'shapes' | 'memory'>,
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
  const pass = { context, pool, observer, spec, inputs, onTally, onCutOff };
  const results = await (size === undefined ? runPass(pass) : queryWithin({ ...pass, ...size }));
  // Threads that only count do not know where other threads have found enough.
  const knowsEach = stopAt?.ofEach === true && spec.print === undefined;
  const known = knowsEach ? tallies.map((tally) => tally && upTo(stopAt, tally)) : tallies;
  const answered = inputs.flatMap((input, index) => {
    const counted = known[index];
    // An unreadable input, or one that broke off, has no count.
    if (counted === undefined || cutOff.has(index)) return [];
    return [{ file: fileOf(input) ?? null, ...counted }];
  });
  return {
    tally: (knowsEach ? known : results).reduce<Tally>((sum, one) => plus(sum, one ?? NOTHING), NOTHING),
    answered,
    faults: results.flatMap((result) => (result.type === 'tally' ? (result.faults ?? []) : [])),
  };
}
