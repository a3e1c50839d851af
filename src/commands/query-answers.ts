import { fileOf, type Input } from '../engine/input/input.ts';
import type { KeySelection } from '../engine/input/key-selection.ts';
import { type LineStyle, NOTHING, plus, type Tally, type TestSpec, WANTED } from '../engine/tasks/task.ts';
import { type Pass, runPass } from '../engine/threads/pass.ts';
import type { Answered } from './report/answers.ts';

/** A question that some records are asked. */
export interface Question extends Pick<Pass, 'context' | 'pool' | 'observer'>, Pick<TestSpec, 'filter' | 'rules'> {
  /** What is shown of the answers: the records, how many there are, or only by the exit status whether there is one. */
  readonly shows: 'records' | 'counts' | 'nothing';
  /** How records are shown. */
  readonly style: LineStyle;
  /** The absent ones are selected. */
  readonly isInverted: boolean;
  /** What was read is answered at once. */
  readonly lineBuffered: boolean;
}

/** Answers, in all and of each input if that is wanted. */
export interface Answers {
  readonly tally: Tally;
  readonly answered: readonly Answered[];
}

export const NO_ANSWERS: Answers = { tally: NOTHING, answered: [] };

/** Answers one after the other. */
export function together(a: Answers, b: Answers): Answers {
  return { tally: plus(a.tally, b.tally), answered: [...a.answered, ...b.answered] };
}

/** Records that are selected. */
export function selected(tally: Tally, { isInverted }: Pick<Question, 'isInverted'>): number {
  const { records, positives, elsewhere } = tally;
  return isInverted ? records - positives - elsewhere : positives;
}

/** Asks about the records of some inputs, and prints them if they are to be shown. */
export async function ask(question: Question, inputs: readonly Input[], selection: KeySelection): Promise<Answers> {
  const { context, pool, observer, filter, rules, shows, style, isInverted, lineBuffered } = question;
  const isOneEnough = shows === 'nothing';
  const spec: TestSpec = {
    type: 'test',
    selection,
    rules,
    filter,
    print: shows === 'records' ? style : undefined,
    lineBuffered,
    bySource: shows === 'counts' && style.named,
    stopAt: isOneEnough ? (isInverted ? WANTED.absent : WANTED.present) : undefined,
  };
  const tallies: (Tally | undefined)[] = [];
  const onTally = (index: number, tally: Tally) => {
    tallies[index] = plus(tallies[index] ?? NOTHING, tally);
    return isOneEnough && selected(tally, question) > 0;
  };
  const cutOff = new Set<number>();
  const onCutOff = (index: number) => void cutOff.add(index);
  const results = await runPass({ context, pool, observer, spec, inputs, onTally, onCutOff });
  const answered = inputs.flatMap((input, index) => {
    const counted = tallies[index];
    // An input that could not be read, or not to its end, has no count.
    if (counted === undefined || cutOff.has(index)) return [];
    return [{ file: fileOf(input) ?? null, ...counted }];
  });
  return { tally: results.reduce(plus, NOTHING), answered };
}
