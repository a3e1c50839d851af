import type { FilterKind, Shape } from '../filters/kind.ts';
import { countsOf } from './build-request.ts';
import { createFilterInPlace, type SharedFilter } from './filter/loaded-filter.ts';
import { requireMemory } from './filter/payload.ts';
import type { DedupSpec, Tally } from './tasks/task.ts';
import { type Pass, runPass } from './threads/pass.ts';

/** What is to be told of which records. */
export type DedupRequest = Omit<Pass, 'spec'> & Pick<DedupSpec, 'selection' | 'rules' | 'selects' | 'prints'>;

/** Records, and those that were selected as `positives`. */
export interface Deduplicated extends Tally {
  /** Of each filter the keys that were new to it, and what has become of it. */
  readonly levels: readonly { readonly firsts: number; readonly filter: SharedFilter }[];
}

/** A filter that has seen nothing. Throws a `memory` error. */
export function createUnseen(kind: FilterKind, shape: Shape, threadCount: number): SharedFilter {
  requireMemory(shape);
  return createFilterInPlace(kind, shape, threadCount);
}

/** Prints, or counts, the records of all inputs that are selected, and notes in filters what was seen, as a `DedupSpec` says. */
export async function dedup(
  { selection, rules, selects, prints, ...pass }: DedupRequest,
  levels: readonly SharedFilter[],
): Promise<Deduplicated> {
  const results = await runPass({ ...pass, spec: { type: 'dedup', selection, rules, selects, prints, levels } });
  const [own] = results.flatMap((result) => (result.type === 'dedup' ? [result] : []));
  return { ...countsOf(results), levels: own?.levels ?? [] };
}
