import type { Drops, Structure } from '../filters/kind.ts';
import type { KeyRules } from '../formats/description.ts';
import { HASHES } from '../hashes/registry.ts';
import type { Input, Observer } from './input/input.ts';
import type { KeySelection } from './input/key-selection.ts';
import type { KeyCount } from './store/capacity.ts';
import { countTogether, estimateTogether } from './tasks/distinct-keys.ts';
import { NOTHING, plus, type Tally } from './tasks/tally.ts';
import type { TaskResult } from './tasks/task-result.ts';
import type { ThreadContext } from './tasks/thread-context.ts';
import type { WorkerPool } from './threads/worker-pool.ts';

/** The inputs of protected keys, which were counted. */
export interface ProtectedInputs {
  readonly inputs: readonly Input[];
  /** The identity of each input's file. */
  readonly identities: ReadonlyMap<string, string | undefined>;
  /** What happens to a key that is a member too; undefined if that is an error. */
  readonly drops: Exclude<Drops, 'none'> | undefined;
  /** Distinct keys: exact if they are few, otherwise an estimate. */
  readonly keys: number;
  /** Removes the copies of inputs that can be read only once. */
  close(): void;
}

/** The records whose keys a filter gets. */
export interface Reading {
  readonly inputs: readonly Input[];
  readonly selection: KeySelection;
  readonly observer: Observer;
  /** The protected keys of a filter that has some. */
  readonly protectedInputs?: ProtectedInputs | undefined;
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

/** The rules of keys that are only counted. */
export const COUNTING = { hash: HASHES[0].name, seed: 0n, ignoreCase: false, trim: false };

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
