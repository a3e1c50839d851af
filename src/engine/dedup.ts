import type { FilterKind, Shape } from '../filters/kind.ts';
import { countsOf } from './build-request.ts';
import { createFilterInPlace, type SharedFilter } from './filter/loaded-filter.ts';
import { requireMemory } from './filter/payload.ts';
import type { DedupSpec, Tally, TaskSpec } from './tasks/task.ts';
import { type Pass, runPass } from './threads/pass.ts';

/** What is to be told of which records. */
export type DedupRequest = Omit<Pass, 'spec'> & Pick<DedupSpec, 'selection' | 'rules' | 'selects' | 'prints'>;

/** Records, and those that were selected as `positives`. */
export interface Deduplicated extends Tally {
  /** Keys that were seen for the first time. */
  readonly firsts: number;
  /** The filter that has what was seen. */
  readonly seen: SharedFilter;
}

/** A filter that has seen nothing. Throws a `memory` error. */
export function createUnseen(kind: FilterKind, shape: Shape, threadCount: number): SharedFilter {
  requireMemory(shape);
  return createFilterInPlace(kind, shape, threadCount);
}

/**
 * Prints, or counts, the records of all inputs that are selected, and notes in a filter what was seen; another one, `twice`, has
 * what was seen more than once, where it is asked for what is seen the second time.
 */
export async function dedup(
  { selection, rules, selects, prints, ...pass }: DedupRequest,
  seen: SharedFilter,
  twice?: SharedFilter,
): Promise<Deduplicated> {
  const spec: TaskSpec = { type: 'dedup', selection, rules, selects, prints, filter: seen, twice };
  const results = await runPass({ ...pass, spec });
  const [first] = results.flatMap((result) => (result.type === 'dedup' ? [result] : []));
  return { ...countsOf(results), firsts: first?.firsts ?? 0, seen: first?.filter ?? seen };
}
