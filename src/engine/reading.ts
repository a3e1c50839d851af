import type { Structure } from '../filters/kind.ts';
import type { KeyRules } from '../formats/description.ts';
import type { Input, Observer } from './input/input.ts';
import type { KeySelection } from './input/key-selection.ts';
import type { KeyCount } from './store/capacity.ts';
import { countTogether, estimateTogether } from './tasks/distinct-keys.ts';
import { NOTHING, plus, type Tally } from './tasks/tally.ts';
import type { TaskResult } from './tasks/task-result.ts';
import type { ThreadContext } from './tasks/thread-context.ts';
import type { WorkerPool } from './threads/worker-pool.ts';

/** The records whose keys a filter gets. */
export interface Reading {
  readonly inputs: readonly Input[];
  readonly selection: KeySelection;
  readonly observer: Observer;
}

/** The threads that read: the main thread and those of a pool. */
export interface Threads {
  readonly context: ThreadContext;
  readonly pool: WorkerPool;
}

/** The rules that make digests of keys, and the kind of the filter. */
export interface KindOfKeys<K extends Structure = Structure> {
  readonly kind: K;
  readonly rules: KeyRules;
}

/** The tally of all threads. */
export function countsOf(results: readonly TaskResult[]): Tally {
  return results.reduce(plus, NOTHING);
}

/** The exact number of distinct keys of all threads; undefined if there were too many to count. */
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
