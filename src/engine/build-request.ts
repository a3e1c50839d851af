import type { FilterKind, Shape } from '../filters/kind.ts';
import type { KeyRules } from '../formats/description.ts';
import type { FlatDraft } from '../formats/flat-draft.ts';
import type { KeyCount } from './capacity.ts';
import type { Contents } from './filter/contents.ts';
import type { Input, Observer } from './input/input.ts';
import type { KeySelection } from './input/key-selection.ts';
import { countTogether, estimateTogether } from './tasks/distinct-keys.ts';
import { NOTHING, plus, type Tally } from './tasks/tally.ts';
import type { TaskSpec } from './tasks/task.ts';
import type { TaskResult } from './tasks/task-result.ts';
import type { ThreadContext } from './tasks/thread-context.ts';
import { type Pass, runPass } from './threads/pass.ts';
import type { WorkerPool } from './threads/worker-pool.ts';

export interface BuildRequest {
  /** The main thread's. */
  readonly context: ThreadContext;
  readonly pool: WorkerPool;
  readonly kind: FilterKind;
  readonly inputs: readonly Input[];
  readonly selection: KeySelection;
  readonly rules: KeyRules;
  readonly observer: Observer;
  /** Keys are added in the order of their records: what waits with several threads has none. */
  readonly inOrder?: boolean;
}

/** What a new filter is to be: of segments, or the arrays of a draft. */
export interface Blueprint {
  readonly shape: Shape;
  readonly draft?: FlatDraft | undefined;
}

/** What is in a filter in memory and what went into it. */
export interface BuildResult<C extends Contents = Contents> {
  readonly shape: Shape;
  readonly contents: C;
  /** Keys that were added, repetitions included. */
  readonly inserted: number;
  /** Records that had no key, for want of the selected field. */
  readonly skipped: number;
  /** Keys of other parts of the filter, which were left out. */
  readonly elsewhere: number;
  /** Keys that a second pass saw, and the first, for which it was sized, did not. */
  readonly late: number;
  /** Distinct keys among those added, where they were counted exactly. */
  readonly distinct: number | undefined;
}

/** What the tasks of a request have in common. */
export function keysOf({ selection, rules }: BuildRequest): Pick<BuildRequest, 'selection' | 'rules'> {
  return { selection, rules };
}

/** Lets all threads do a task to the inputs of a request, and returns what each of them did. */
export function read(
  { context, pool, inputs, observer }: BuildRequest,
  spec: TaskSpec,
  onTally?: Pass['onTally'],
): Promise<TaskResult[]> {
  return runPass({ context, pool, spec, inputs, observer, onTally });
}

/** What threads read together. */
export function countsOf(results: readonly TaskResult[]): Tally {
  return results.reduce(plus, NOTHING);
}

/** The distinct keys of all threads; undefined if they are too many to be counted. */
export function exactly({ kernel }: ThreadContext, results: readonly TaskResult[]): number | undefined {
  return countTogether(
    kernel,
    results.map((result) => ('distinct' in result ? result.distinct : undefined)),
  );
}

/** The keys of all threads. */
export function keyCount(context: ThreadContext, results: readonly TaskResult[]): KeyCount {
  const distinct = exactly(context, results);
  const sketches = results.flatMap((result) => ('sketch' in result ? (result.sketch ?? []) : []));
  return {
    keys: countsOf(results).keys,
    distinct: distinct === undefined ? estimateTogether(sketches) : { count: distinct, error: 0 },
  };
}
